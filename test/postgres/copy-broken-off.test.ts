import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Memory, openMemory } from '../../src/index.ts'
import { askServer, newSchema, postgresUrl } from '../support/postgres-store.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { waitUntil } from '../support/wait-until.ts'

const MAIN = join(import.meta.dirname, '../../dist/cli/main.js')
const CONVERSATIONS = 40
const MESSAGES = 50

async function fill(path: string): Promise<string> {
  const memory = await openMemory(path, { derive: { when: 'never' } })
  const texts = Array.from({ length: MESSAGES }, (_, i) => ({
    role: 'user' as const,
    content: `Number ${i} of those about Lisbon 😀, the river and the castle above it.`,
  }))
  for (let i = 0; i < CONVERSATIONS; i++) await memory.conversation(`c${i}`).record(texts)
  const digest = await digestOf(memory)
  await memory.close()
  return digest
}

/** Covers every message: its position, role, time and content. */
async function digestOf(memory: Memory): Promise<string> {
  const hash = createHash('sha256')
  for (let i = 0; i < CONVERSATIONS; i++)
    for await (const { id, position, role, content, createdAt } of memory
      .conversation(`c${i}`)
      .messages.list())
      hash.update(JSON.stringify([id, position, role, content, createdAt]))
  return hash.digest('hex')
}

test('running a killed copy again completes it, and then both sides are the same', async () => {
  const from = join(temporaryFolder(), 'memory.db')
  const digest = await fill(from)
  const [to, schema] = [await postgresUrl(), newSchema()]
  const copy = () => {
    const env = { ...process.env, RECOLLECT_POSTGRES_SCHEMA: schema }
    const child = spawn(process.execPath, [MAIN, 'copy', from, to, '--json'], { env })
    let printed = ''
    child.stdout.on('data', (piece) => (printed += piece))
    child.stderr.on('data', (piece) => (printed += piece))
    const ended = new Promise<{ code: number | null; printed: string }>((resolve) =>
      child.once('close', (code) => resolve({ code, printed })),
    )
    return { child, ended }
  }
  const countCopied = async () => {
    const table = `${schema}.message`
    const [found] = await askServer(`SELECT to_regclass('${table}') IS NOT NULL AS is_there`, to)
    if (!(found as { is_there: boolean }).is_there) return 0
    const [row] = await askServer(`SELECT count(*)::int AS count FROM ${table}`, to)
    return (row as { count: number }).count
  }
  const first = copy()
  await waitUntil(async () => (await countCopied()) >= 2 * MESSAGES, 'some of it to be copied', 60_000)
  first.child.kill('SIGKILL')
  await first.ended
  expect(await countCopied()).toBeLessThan(CONVERSATIONS * MESSAGES)

  const { code, printed } = await copy().ended
  expect([code, printed.slice(0, 200)]).toEqual([0, expect.anything()])
  const [copied] = JSON.parse(printed).workspaces
  expect(copied).toMatchObject({ verifiedMessages: CONVERSATIONS * MESSAGES, differences: [] })
  expect(copied.messages).toBeLessThan(CONVERSATIONS * MESSAGES)
  const memory = await openMemory(to, { postgres: { schema }, derive: { when: 'never' } })
  expect(await digestOf(memory)).toBe(digest)
  await memory.close()
})
