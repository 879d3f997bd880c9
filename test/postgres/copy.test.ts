import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Memory, openMemory } from '../../src/index.ts'
import { collectText } from '../support/open-temporary.ts'
import { newSchema, postgresUrl } from '../support/postgres-store.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

async function withOpened<T>(
  location: string,
  schema: string,
  work: (memory: Memory) => Promise<T>,
): Promise<T> {
  const memory = await openMemory(location, { postgres: { schema }, derive: { when: 'never' } })
  try {
    return await work(memory)
  } finally {
    await memory.close()
  }
}

const copy = (from: string, to: string, schema: string) =>
  withOpened(from, schema, (source) => withOpened(to, schema, (target) => source.copyTo(target)))

/** A bit of everything that is not derived. */
async function fill(memory: Memory): Promise<void> {
  const trip = memory.conversation('trip')
  await trip.record([
    { role: 'user', content: 'We are in Lisbon in May. 😀 \u0000' },
    { role: 'assistant', content: 'Nice!' },
    { role: 'user', content: 'Forget this.' },
  ])
  const [, second, last] = await trip.messages.list().toArray()
  await memory.messages.erase(last?.id ?? '')
  await trip.fork(second?.id ?? '', { id: 'branch' })
  await memory.documents.add({ name: 'plan.md', content: '# Plan\n\nSee the castle.' })
  await memory.page('trip').queries.add({ query: 'how many castles?' })
  await memory.keys.create({ name: 'app' })
  await memory.workspace('team').conversation('work').record({ role: 'user', content: 'Ship it.' })
}

/** The sorted lines of an export without its time, since conversations last used at the same time may swap places. */
const tell = async (memory: Memory) =>
  (await collectText(memory.export()))
    .replaceAll(/"exportedAt":\s*"[^"]*"/g, '')
    .split('\n')
    .map((line) => line.replace(/,$/, ''))
    .sort()

test('a memory is copied from a file to PostgreSQL and back without losing anything', async () => {
  const folder = temporaryFolder()
  const [file, back] = [join(folder, 'memory.db'), join(folder, 'back.db')]
  const database = await postgresUrl()
  const schema = newSchema()
  await withOpened(file, schema, fill)
  const there = await copy(file, database, schema)
  expect(there.map(({ workspace, differences, keys }) => [workspace, differences, keys])).toEqual([
    ['default', [], 1],
    ['team', [], 0],
  ])
  expect(there[0]).toMatchObject({ verifiedMessages: 5, documents: 1, queries: 1 })
  const again = await copy(file, database, schema)
  expect(again[0]).toMatchObject({ messages: 0, documents: 0, queries: 0, keys: 0, differences: [] })
  await copy(database, back, schema)
  const before = await withOpened(file, schema, tell)
  expect(await withOpened(back, schema, tell)).toEqual(before)
  expect(await withOpened(database, schema, tell)).toEqual(before)
})

test('differences between both sides are reported', async () => {
  const file = join(temporaryFolder(), 'memory.db')
  const database = await postgresUrl()
  const schema = newSchema()
  const say = (content: string) => (memory: Memory) =>
    memory.conversation('trip').record({ role: 'user', content })
  await withOpened(file, schema, say('one'))
  await withOpened(database, schema, say('another'))
  const [copied] = await copy(file, database, schema)
  expect(copied?.differences.join()).toContain('"trip"')
})
