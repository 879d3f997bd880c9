// Writers are killed at random moments, over and over, on the same file. Every acknowledged message must be there.

import { randomInt } from 'node:crypto'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { effort } from '../support/effort.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type Random, seededRandom } from './chatter.mjs'
import { Child } from './child-process.ts'
import { ALL_WELL, type Audit, Ledger } from './ledger.ts'

const KILLS = Number(process.env['TEST_CRASH_ROUNDS'] ?? effort({ short: 20, long: 200 }))
const SEED = Number(process.env['TEST_SEED'] ?? randomInt(2 ** 31))
/** Then a new file, so that auditing all of it after every kill stays cheap. */
const KILLS_PER_FILE = 10

test(`nothing acknowledged is lost when writers are killed ${KILLS} times`, {
  timeout: 60_000 + KILLS * 2_000,
}, async () => {
  const random = seededRandom(SEED)
  const takeWriter = prepareWriters(KILLS)
  const folder = temporaryFolder()
  let acknowledged = 0
  let compressed = 0
  let file: WrittenFile = { path: '', ledger: new Ledger() }
  for (let killed = 0; killed < KILLS; ) {
    if (killed % KILLS_PER_FILE === 0) file = makeFile(join(folder, `${killed}`))
    // Once per file, two writers run at the same time.
    const isPair = killed % KILLS_PER_FILE === 4 && killed + 1 < KILLS
    const victims = isPair ? [takeWriter(), takeWriter()] : [takeWriter()]
    const before = { kept: file.ledger.size, compressed: file.ledger.compressed }
    await Promise.all(victims.map((child) => writeAndDie(child, file, random)))
    killed += victims.length
    expect(await auditCopy(file), `kill ${killed}; repeat with TEST_SEED=${SEED}`).toEqual(ALL_WELL)
    acknowledged += file.ledger.size - before.kept
    compressed += file.ledger.compressed - before.compressed
  }
  console.log(
    `${KILLS} writers killed, ${acknowledged} messages acknowledged, ${compressed} compressed, none lost (seed ${SEED})`,
  )
  expect(Math.min(acknowledged, compressed)).toBeGreaterThan(0)
})

/** Starting a process takes far longer than writing: the next two start while one writes. */
function prepareWriters(count: number): () => Child {
  const ready: Child[] = []
  let left = count
  const prepare = () => {
    if (left > 0) ready.push(new Child('writer.mjs'))
    left -= 1
  }
  prepare()
  prepare()
  return () => {
    prepare()
    return ready.shift() as Child
  }
}

function makeFile(folder: string): WrittenFile {
  mkdirSync(folder)
  return { path: join(folder, 'memory.db'), ledger: new Ledger() }
}

interface WrittenFile {
  readonly path: string
  readonly ledger: Ledger
}

async function writeAndDie(child: Child, { path, ledger }: WrittenFile, random: Random): Promise<void> {
  await child.next('ready')
  // One in five is killed while it opens the file: creating it, migrating it, or recovering from its log.
  const isKilledEarly = random.below(5) === 0
  const delayMs = isKilledEarly ? random.between(0, 20) : random.between(5, 120)
  child.tell({ path, seed: random.below(2 ** 31) })
  if (!isKilledEarly) await child.next('kept')
  await wait(delayMs)
  const { signal } = await child.kill()
  expect(signal, child.errors).toBe('SIGKILL')
  for (const line of child.lines) ledger.note(line)
}

/** Audits a copy, so that the next writer finds the file and its log as the last one left them. */
async function auditCopy({ path, ledger }: WrittenFile): Promise<Audit> {
  const copy = `${dirname(path)}-copy`
  cpSync(dirname(path), copy, { recursive: true })
  try {
    return await ledger.auditFile(join(copy, basename(path)))
  } finally {
    rmSync(copy, { recursive: true })
  }
}
