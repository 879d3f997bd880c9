// Creates the database file of a released schema in test/fixtures/legacy/, which all later versions must be able to
// read. Run it once per schema version, before the release, and never again for the same version.
//
//   npx tsc -p tsconfig.build.json && node test/support/make-legacy-fixture.mjs

import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMemory } from '../../dist/index.js'
import { loadDriver } from '../../dist/store/sqlite/driver.js'
import { MIGRATIONS } from '../../dist/store/sqlite/migrations/migrations.js'
import { openSqliteStore } from '../../dist/store/sqlite/sqlite-store.js'

const folder = new URL('../fixtures/legacy/', import.meta.url).pathname
const target = join(folder, `schema-${MIGRATIONS.length}.db`)
if (existsSync(target)) throw new Error(`${target} is there already; a released file never changes`)

let minutes = 0
const clock = () => new Date(Date.UTC(2026, 4, 1, 12, minutes++))

const TRIP = [
  { id: 't0', role: 'system', content: 'You are a travel agent.' },
  {
    id: 't1',
    role: 'user',
    name: 'Ana',
    content: 'I am vegetarian, and we are in Lisbon in May. 😀 שלום \u0000 end',
    importance: 0.9,
    metadata: { source: 'legacy', nested: { list: [1, null, 'x'] } },
    createdAt: '2026-04-30T09:00:00.123Z',
  },
  {
    id: 't2',
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'They need the weather.' },
      {
        type: 'tool-call',
        toolCallId: 'c1',
        toolName: 'weather',
        input: { city: 'Lisboa', days: [1, 2, 3] },
      },
    ],
  },
  {
    id: 't3',
    role: 'tool',
    content: [
      { type: 'tool-result', toolCallId: 'c1', toolName: 'weather', output: { degrees: 21.5, sky: 'clear' } },
    ],
  },
  { id: 't4', role: 'assistant', content: 'Clear and 21.5 degrees: eat outside.' },
  { id: 't5', role: 'user', content: 'My door code is Vexillology4711.' },
  { id: 't6', role: 'assistant', content: 'Noted.' },
]

async function fill(memory, store) {
  const trip = memory.conversation('trip')
  await trip.record(TRIP)
  await trip.context('Where should we eat?', { budgetTokens: 800 })
  await trip.context({ budgetTokens: 200 })
  await trip.fork('t5', { id: 'porto', title: 'Porto instead', tags: ['travel'] })
  await memory.conversation('porto').record({ id: 'p0', role: 'user', content: 'Let us go to Porto.' })
  await store.compress({ workspace: 'default', conversation: 'trip' }, [0, 1, 2, 3, 4, 5])
  await memory.messages.erase('t5')
  const [topic] = await trip.topics.list().toArray()
  await trip.topics.update(topic.id, { title: 'Lisbon', isPinned: true })
  await memory.facts.add({ attribute: 'home', value: 'Porto' })
  await memory.notes.add({
    text: 'Trams stop at one.',
    source: { url: 'https://example.org' },
    expiresAt: null,
  })
  const recipes = memory.conversation('recipes')
  await recipes.getOrCreate({ title: 'Rezepte für Gäste', tags: ['cooking', 'família'], isPinned: true })
  await recipes.record([{ id: 'r0', role: 'user', content: '里斯本的菜' }], { key: 'first-recipe' })
  await recipes.update({ isArchived: true, documents: ['cookbook'], metadata: { shelf: 3 } })
  await fillPages(memory)
  const team = memory.workspace('team').conversation('standup')
  await team.record({ id: 't1', role: 'user', content: 'Another workspace, the same id.' })
  await fillTools(memory.inWorkspace('team'), store)
}

const toolLoop = (i) => [
  { id: `ask-${i}`, role: 'user', content: `Which berth has the ship number ${i}?` },
  {
    id: `call-${i}`,
    role: 'assistant',
    content: [
      { type: 'tool-call', toolCallId: `c${i}`, toolName: 'berth', input: { ship: `Quillfeather${i}` } },
    ],
  },
  {
    id: `result-${i}`,
    role: 'tool',
    content: [
      { type: 'tool-result', toolCallId: `c${i}`, toolName: 'berth', output: { berth: `Zanzibarium${i}` } },
    ],
  },
  { id: `answer-${i}`, role: 'assistant', content: `It is in berth ${i}.` },
]

/** Two loops of tool calls, the first of them compressed, with a fact and a document. */
async function fillTools(memory, store) {
  const harbour = memory.conversation('harbour')
  await harbour.record([...toolLoop(1), ...toolLoop(2)], { key: 'tool-loops' })
  await store.compress({ workspace: 'team', conversation: 'harbour' }, [0, 1, 2, 3])
  await memory.facts.add({ attribute: 'harbour', value: 'Leixões' })
  await memory.documents.add({
    id: 'tides',
    name: 'tides.md',
    content: '# Tides\n\nHigh water at Leixões is at seven in the morning.',
  })
  await memory.saveContext('harbour', { activeFile: { id: 'tides', name: 'tides.md' } })
}

async function fillPages(memory) {
  await memory.page('trip').save({
    activeFile: { id: 'budget', name: 'Orçamento.csv' },
    currentTopic: 'Costs',
    entities: { Ana: { role: 'guide' }, '😀': null, Lisboa: ['city', 1.5] },
    preferences: { chart: 'bar' },
  })
  await memory.page('trip').queries.add({
    id: 'q0',
    query: 'How many nights in Lisboa? \u0000',
    sql: 'SELECT count(*) FROM night',
    results: [{ count: 4 }],
    response: 'Four.',
    important: true,
    createdAt: '2026-04-30T09:00:00.123Z',
  })
  const large = Array.from({ length: 9000 }, (_, i) => ({ i }))
  await memory.page('trip').queries.add({ id: 'q1', query: 'Every row, please', results: large })
  const secret = await memory.page('alone').queries.add({ id: 'q2', query: 'Is Vexillology4711 safe?' })
  await memory.page('alone').queries.add({ id: 'q3', query: '里斯本有多少订单？' })
  await memory.queries.erase(secret.id)
}

/** A backup is one file; switched back to WAL mode, it is as an application leaves it. */
async function leaveAsClosed(path) {
  const { DatabaseSync } = await loadDriver()
  const database = new DatabaseSync(path)
  database.exec('PRAGMA journal_mode = WAL')
  database.close()
  for (const ending of ['-wal', '-shm']) {
    if (existsSync(path + ending)) throw new Error(`${path}${ending} was left behind`)
  }
}

const scratch = mkdtempSync(join(tmpdir(), 'recollect-legacy-'))
try {
  mkdirSync(folder, { recursive: true })
  const path = join(scratch, 'memory.db')
  const memory = await openMemory(path, { clock })
  const store = await openSqliteStore({ path, durability: 'full', busyTimeoutMs: 1000 })
  await fill(memory, store)
  await store.close()
  await memory.maintenance.backup(target)
  await memory.close()
  await leaveAsClosed(target)
  console.log(`wrote ${target}`)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
