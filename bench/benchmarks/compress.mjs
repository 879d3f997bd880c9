import { gzipSync } from 'node:zlib'
import { newId } from '../../dist/domain/ids.js'
import { packMessages } from '../../dist/store/pack-messages.js'
import { openSqliteStore } from '../../dist/store/sqlite/sqlite-store.js'
import { openBare } from '../bare-sqlite.mjs'
import { createMessageWriter } from '../made-up-text.mjs'
import { median, quantile, timeMs } from '../measure.mjs'
import { readSamples } from '../sample-messages.mjs'

/** Messages in a block: what a topic gives away at once, and what blocks grow to and beyond. */
const SIZES = [9, 25, 50, 100]
const RESTORED = 50
/** More than the store remembers, so that every read unpacks. */
const BLOCKS = 40

export const compress = {
  name: 'compress',
  about: 'blocks against gzip -9 of the same messages; the time to compress them and to restore 50',
  async run(fixture) {
    const samples = readSamples(fixture.dataFolder)
    return [
      ...samples.flatMap(({ name, conversations }) => weigh(name, conversations)),
      ...(await timeStore(fixture)),
    ]
  },
}

/** What blocks and gzip take for the same messages: in sum, in the block that comes out worst, and in time. */
function weigh(name, conversations) {
  const bySize = SIZES.map((size) => ({
    size,
    blocks: conversations.flatMap((contents) => cut(contents, size)).map(weighBlock),
  })).filter(({ blocks }) => blocks.length > 0)
  const packing = bySize.flatMap(({ size, blocks }) => blocks.map(({ ms }) => ms / size))
  return [
    ...bySize.flatMap(({ size, blocks }) => [
      toRow(`${name}: ${blocks.length} blocks of ${size}`, sumUp(blocks)),
      toRow('  the worst of them', blocks.reduce(worse)),
    ]),
    { what: '  packing a message', unit: 'ms', ours: median(packing) },
  ]
}

const toRow = (what, { gzip, packed }) => ({
  what,
  unit: 'bytes',
  floor: gzip,
  ours: packed,
  ratio: packed / gzip,
  aim: { ratio: 1 },
})

const sumUp = (blocks) => ({
  gzip: blocks.reduce((sum, { gzip }) => sum + gzip, 0),
  packed: blocks.reduce((sum, { packed }) => sum + packed, 0),
})

const worse = (one, other) => (one.packed / one.gzip > other.packed / other.gzip ? one : other)

function cut(contents, size) {
  return Array.from({ length: Math.floor(contents.length / size) }, (_, i) =>
    contents.slice(i * size, (i + 1) * size),
  )
}

function weighBlock(contents) {
  const messages = contents.map((content, position) => ({
    position,
    content: JSON.stringify(content),
    metadata: null,
  }))
  const gzip = gzipSync(messages.map(({ content }) => `${content}\n`).join(''), { level: 9 }).length
  const start = performance.now()
  const packed = packMessages(messages).body.length
  return { gzip, packed, ms: performance.now() - start }
}

/** Through the store, on the disk: nine at a time as topics grow, and all at once. */
async function timeStore(fixture) {
  const [little, atOnce] = [await fillStore(fixture, 8), await fillStore(fixture, 9)]
  const littleMs = await compressIn(little, 9)
  const atOnceMs = await compressIn(atOnce, BLOCKS * RESTORED)
  const restored = await timeRestores(atOnce, fixture.repeats(400))
  const pages = [await weighPages(little.untouched), await weighPages(atOnce.path)]
  for (const { store } of [little, atOnce]) await store.close()
  return [
    { what: 'compress 9 messages at a time, each', unit: 'ms', ours: littleMs },
    { what: 'compress many at once, each', unit: 'ms', ours: atOnceMs },
    {
      what: `restore ${RESTORED} messages, median`,
      unit: 'ms',
      ours: median(restored),
      aim: { most: 5 },
    },
    {
      what: `restore ${RESTORED} messages, 95th percentile`,
      unit: 'ms',
      ours: quantile(restored, 0.95),
    },
    {
      what: 'pages of messages in the file, live / compressed, a message',
      unit: 'bytes',
      floor: pages[0] / (BLOCKS * RESTORED),
      ours: pages[1] / (BLOCKS * RESTORED),
      ratio: pages[1] / pages[0],
    },
  ]
}

const KEY = { workspace: 'default', conversation: 'long' }

async function fillStore(fixture, seed) {
  const path = fixture.newPath()
  const store = await openSqliteStore({ path, durability: 'full', busyTimeoutMs: 1000 })
  const now = new Date()
  const messages = createMessageWriter(seed)(BLOCKS * RESTORED).map((message) => ({
    ...message,
    id: newId(now),
    createdAt: now,
    recordedAt: now,
    tokens: 90,
    tokenizer: 'none',
  }))
  await store.append({ ...KEY, messages, now, suggestTitle: () => undefined })
  const untouched = fixture.newPath()
  await store.backup(untouched)
  return { path, store, untouched }
}

async function compressIn({ store }, count) {
  const positions = Array.from({ length: BLOCKS * RESTORED }, (_, i) => i)
  const ms = await timeMs(async () => {
    for (let from = 0; from < positions.length; from += count)
      await store.compress(KEY, positions.slice(from, from + count))
  })
  return ms / positions.length
}

async function timeRestores({ store }, count) {
  const times = []
  for (let i = 0; i < count; i++) {
    const after = ((i * 7) % BLOCKS) * RESTORED - 1
    times.push(await timeMs(() => store.messages({ ...KEY, after, limit: RESTORED })))
  }
  return times.slice(Math.ceil(count / 10))
}

async function weighPages(path) {
  const database = await openBare(path)
  const { bytes } = database
    .prepare("SELECT sum(pgsize) AS bytes FROM dbstat WHERE name IN ('message', 'block')")
    .get()
  database.close()
  return bytes
}
