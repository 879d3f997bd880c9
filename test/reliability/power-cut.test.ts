// Power cuts at random moments: everything that was not synced is lost, or survives in part, torn. The controls
// show that the same disk does lose messages of a writer that does not sync.

import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { loadDriver } from '../../src/store/sqlite/driver.ts'
import { effort } from '../support/effort.ts'
import { CUTS_PER_RUN, ForgetfulDisk } from './forgetful-disk.ts'
import { ALL_WELL, Ledger } from './ledger.ts'

const WANTED = Number(process.env['TEST_POWER_CUTS'] ?? effort({ short: 30, long: 200 }))
const RUNS = Math.ceil(WANTED / CUTS_PER_RUN)
const CUTS = RUNS * CUTS_PER_RUN
const SEED = Number(process.env['TEST_SEED'] ?? randomInt(2 ** 31))
const RUNS_PER_FILE = 5
/** Used in turn: creating and opening the file, a few commits, checkpoints. */
const SPANS_CALLS = [150, 1000, 3000]
/** A message may survive a few cuts by chance, but not this many. */
const CONTROL_RUNS = 3
const REPEAT = `repeat with TEST_SEED=${SEED}`

test(`nothing acknowledged is lost when the power is cut ${CUTS} times`, {
  timeout: 60_000 + CUTS * 1_000,
}, async (context) => {
  const disk = new ForgetfulDisk(context, SEED)
  const seen = { acknowledged: 0, syncs: 0 }
  let ledger = new Ledger()
  for (let run = 0; run < RUNS; run++) {
    const isNewFile = run % RUNS_PER_FILE === 0
    if (isNewFile) ledger = new Ledger()
    const spanCalls = SPANS_CALLS[run % SPANS_CALLS.length] as number
    const cuts = disk.cutPower({ program: 'writer.mjs', isNewFile, spanCalls })
    for await (const { path, said, syncs } of cuts) {
      for (const line of said) ledger.note(line)
      const audit = await ledger.auditFile(path)
      expect(audit, `run ${run}, ${path}; ${REPEAT}`).toEqual(ALL_WELL)
      seen.acknowledged += said.filter((line) => line.startsWith('kept')).length
      seen.syncs += syncs
    }
  }
  console.log(
    `${CUTS} power cuts, ${seen.syncs} syncs, ${seen.acknowledged} messages acknowledged, none lost (seed ${SEED})`,
  )
  // Otherwise nothing went through the simulated disk.
  expect(Math.min(seen.acknowledged, seen.syncs)).toBeGreaterThan(0)
})

test('with durability relaxed, a power cut loses the last messages but damages nothing', async (context) => {
  const disk = new ForgetfulDisk(context, SEED)
  const run = { program: 'writer.mjs', options: { durability: 'relaxed' }, isNewFile: true, spanCalls: 1000 }
  let cutsWithLoss = 0
  for (let i = 0; i < CONTROL_RUNS; i++) {
    const ledger = new Ledger()
    for await (const { path, said } of disk.cutPower(run)) {
      for (const line of said) ledger.note(line)
      const { lost, wrong } = await ledger.auditFile(path)
      expect(wrong, `${path}; ${REPEAT}`).toEqual([])
      if (lost.length > 0) cutsWithLoss += 1
    }
  }
  console.log(`relaxed: messages were lost in ${cutsWithLoss} of ${CONTROL_RUNS * CUTS_PER_RUN} power cuts`)
  expect(cutsWithLoss, REPEAT).toBeGreaterThan(0)
})

test('plain SQLite that never syncs loses rows on the same disk', async (context) => {
  const cutsWithLoss = await countPlainLosses(new ForgetfulDisk(context, SEED), 'OFF')
  console.log(`never synced: rows were lost in ${cutsWithLoss} of ${CUTS_PER_RUN} power cuts`)
  expect(cutsWithLoss, REPEAT).toBeGreaterThan(0)
})

test('plain SQLite that syncs every commit loses no rows on the same disk', async (context) => {
  expect(await countPlainLosses(new ForgetfulDisk(context, SEED), 'FULL'), REPEAT).toBe(0)
})

async function countPlainLosses(disk: ForgetfulDisk, synchronous: 'OFF' | 'FULL'): Promise<number> {
  let acknowledged = 0
  let cutsWithLoss = 0
  const run = { program: 'plain-writer.mjs', options: { synchronous }, isNewFile: true, spanCalls: 1000 }
  for await (const { path, said } of disk.cutPower(run)) {
    acknowledged += said.filter((line) => line.startsWith('kept')).length
    if ((await countRows(path)) < acknowledged) cutsWithLoss += 1
  }
  return cutsWithLoss
}

async function countRows(path: string): Promise<number> {
  const { DatabaseSync } = await loadDriver()
  const database = new DatabaseSync(path)
  try {
    return (database.prepare('SELECT count(*) AS count FROM word').get() as { count: number }).count
  } catch (error) {
    // So much can be lost that the table, or the whole file, is unreadable.
    if (/no such table|malformed|not a database/.test(String(error))) return 0
    throw error
  } finally {
    database.close()
  }
}
