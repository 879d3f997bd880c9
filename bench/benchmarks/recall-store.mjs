import { openBare } from '../bare-sqlite.mjs'
import { createMessageWriter, seededRandom } from '../made-up-text.mjs'
import { createVectorMaker, near } from '../made-up-vectors.mjs'
import { median, quantile, timesMs } from '../measure.mjs'
import { DERIVER, needMillion, openForBench, WORKSPACE } from '../million.mjs'

const LIMIT = 300
const POSITIONS = 2 ** 24
const LONG_DIMENSIONS = 384
const QUESTIONS = 20

export const recallStore = {
  name: 'recall-store',
  about: 'what recall asks of the store, among 10,000 messages in one conversation and among a million',
  /** Only where it is named: the file takes minutes to make. */
  isLong: true,
  async run(fixture) {
    const million = fixture.sizes.messages * 10
    const { path, words } = await needMillion(million)
    const store = await openForBench(path)
    const bench = { store, words, random: seededRandom(8), repeats: fixture.repeats(100), million }
    const rows = [
      ...(await inLongConversation(fixture)),
      ...(await byWords(bench)),
      ...(await atPlaces(bench)),
      ...(await bySearch(bench)),
      ...(await byMeaning(bench, path)),
    ]
    await store.close()
    return rows
  },
}

/** The median and the 95th percentile of calls; `work` gets the number of the call. */
async function time(what, repeats, work, aim) {
  const times = await timesMs(repeats, work)
  return [
    { what: `${what}, median`, unit: 'ms', ours: median(times), ...(aim && { aim: { most: aim } }) },
    { what: `${what}, 95th percentile`, unit: 'ms', ours: quantile(times, 0.95) },
  ]
}

const pick = (random, list) => list[Math.floor(random() * list.length)]
const among = (count) => `of ${count.toLocaleString('en')}`

async function byWords({ store, words, random, repeats, million }) {
  const rows = []
  const conversation = () => `c${Math.floor((random() * million) / 1000)}`
  for (const [share, terms] of Object.entries(words)) {
    const find = (scope) =>
      store.findPlaces({ workspace: WORKSPACE, allOf: [[pick(random, terms).term]], limit: LIMIT, ...scope })
    rows.push(
      ...(await time(`findPlaces: ${share}, one conversation ${among(million)}`, repeats, () =>
        find({ conversations: [conversation()] }),
      )),
    )
    rows.push(...(await time(`findPlaces: ${share}, all ${among(million)}`, repeats, () => find())))
  }
  const groups = () =>
    Object.values(words)
      .slice(2, 4)
      .map((terms) => terms.map(({ term }) => term))
  rows.push(
    ...(await time(`findPlaces: a word of each of two groups, all ${among(million)}`, repeats, () =>
      store.findPlaces({ workspace: WORKSPACE, allOf: groups(), limit: LIMIT }),
    )),
  )
  return rows
}

async function atPlaces({ store, random, repeats, million }) {
  const place = () => Math.floor((random() * million) / 1000 + 1) * POSITIONS + Math.floor(random() * 1000)
  const places = (count) => Array.from({ length: count }, place)
  const same = places(LIMIT)
  const spanOf = (days) => {
    const from = Date.UTC(2024, 0, 1) + random() * million * 60_000
    return { from: new Date(from), to: new Date(from + days * 86_400_000) }
  }
  const inTime = (scope) => store.findPlacesInTime({ workspace: WORKSPACE, limit: LIMIT, ...scope })
  return [
    ...(await time('headsAt: 300 places that were asked for before', repeats, () =>
      store.headsAt(WORKSPACE, same),
    )),
    ...(await time(`headsAt: 300 places by chance ${among(million)}`, repeats, () =>
      store.headsAt(WORKSPACE, places(LIMIT)),
    )),
    ...(await time(`wordsAt: 60 places by chance ${among(million)}`, repeats, () =>
      store.wordsAt(WORKSPACE, places(60)),
    )),
    ...(await time(`scopeSize: all ${among(million)}`, repeats, () =>
      store.scopeSize({ workspace: WORKSPACE }),
    )),
    ...(await time('findPlacesInTime: a week in one conversation', repeats, () =>
      inTime({ ...spanOf(7), conversations: ['c7'] }),
    )),
    ...(await time(`findPlacesInTime: a day, all ${among(million)}`, repeats, () => inTime(spanOf(1)))),
    ...(await time(`findPlacesInTime: a month, all ${among(million)}`, repeats, () => inTime(spanOf(30)))),
  ]
}

async function bySearch({ store, words, random, repeats, million }) {
  const rows = []
  for (const share of ['rare', '1 %', '50 %']) {
    const search = () =>
      store.searchMessages({
        workspace: WORKSPACE,
        terms: [{ words: [pick(random, words[share]).term], isPrefix: false }],
        limit: 20,
      })
    rows.push(...(await time(`searchMessages: ${share}, all ${among(million)}`, repeats, search)))
  }
  return rows
}

async function byMeaning({ store, random, repeats, million }, path) {
  const database = await openBare(path)
  const questions = makeQuestions(database, random, million)
  const find = (vector, scope) =>
    store.findNearest({
      workspace: WORKSPACE,
      deriver: DERIVER,
      vector,
      limit: 10,
      leastSimilarity: 0.25,
      ...scope,
    })
  const before = process.memoryUsage().rss
  const started = performance.now()
  await find(questions[0])
  const first = performance.now() - started
  const grown = process.memoryUsage().rss - before
  const rows = [
    { what: `findNearest: the first among all ${among(million)} (loads sketches)`, unit: 'ms', ours: first },
    { what: '  memory that it takes', unit: 'MB', ours: grown / 1e6 },
    ...(await time(`findNearest: all ${among(million)}`, Math.ceil(repeats / 2), (i) =>
      find(questions[i % QUESTIONS]),
    )),
    ...(await time(`findNearest: one conversation ${among(million)}`, repeats, (i) =>
      find(questions[i % QUESTIONS], { conversations: ['c7'] }),
    )),
  ]
  const nearest = findPlainly(database, questions)
  database.close()
  let found = 0
  for (const [i, question] of questions.entries())
    found += (await find(question, { leastSimilarity: -1 })).filter(({ place }) =>
      nearest[i].has(place),
    ).length
  rows.push({ what: '  of the ten nearest, found', unit: '%', ours: (100 * found) / (10 * QUESTIONS) })
  return rows
}

function toFloats(bytes) {
  const values = new Int8Array(bytes.buffer, bytes.byteOffset + 4, bytes.length - 4)
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0))
  return Float32Array.from(values, (value) => value / length)
}

/** Not quite what somebody said. */
function makeQuestions(database, random, million) {
  const statement = database.prepare('SELECT vector FROM reading WHERE place = CAST(? AS INTEGER)')
  return Array.from({ length: QUESTIONS }, () => {
    const place = Math.floor((random() * million) / 1000 + 1) * POSITIONS + Math.floor(random() * 1000)
    return near(random, toFloats(statement.get(place).vector), 0.7)
  })
}

/** The ten nearest to each question by comparing everything. Derivations have the numbers of their conversations here. */
function findPlainly(database, questions) {
  const best = questions.map(() => [])
  const rows = database
    .prepare('SELECT conversation, number FROM derivation WHERE deriver = ? AND is_active = 1')
    .all(DERIVER)
  const statement = database.prepare(
    'SELECT position, vector FROM reading WHERE place >= CAST(? AS INTEGER) AND place < CAST(? AS INTEGER)',
  )
  for (const { conversation, number } of rows) {
    for (const { position, vector } of statement.all(number * POSITIONS, (number + 1) * POSITIONS)) {
      const floats = toFloats(vector)
      for (const [i, question] of questions.entries()) {
        let similarity = 0
        for (let j = 0; j < floats.length; j++) similarity += floats[j] * question[j]
        keepBest(best[i], { place: conversation * POSITIONS + position, similarity })
      }
    }
  }
  return best.map((list) => new Set(list.map(({ place }) => place)))
}

function keepBest(list, one) {
  if (list.length === 10 && one.similarity <= list[9].similarity) return
  list.push(one)
  list.sort((a, b) => b.similarity - a.similarity)
  list.length = Math.min(list.length, 10)
}

/** 10,000 messages with vectors of 384 dimensions, alone in their file. */
async function inLongConversation(fixture) {
  const store = await openForBench(fixture.newPath())
  const key = { workspace: WORKSPACE, conversation: 'long' }
  const [write, nextVector] = [createMessageWriter(12), createVectorMaker(13, LONG_DIMENSIONS)]
  const count = fixture.sizes.contextMessages
  const messages = write(count).map((message, i) => ({
    ...message,
    id: `m${i}`,
    createdAt: new Date(i * 60_000),
    recordedAt: new Date(i * 60_000),
    tokens: 90,
    tokenizer: 'o200k',
  }))
  await store.append({ ...key, messages, now: new Date(), suggestTitle: () => undefined })
  const readings = messages.map((_, position) => ({ position, topic: 0, vector: nextVector() }))
  const begin = { generation: 1, version: 'bench', revision: 0, state: {}, isActive: true }
  const erasureVersion = await store.erasureVersion(WORKSPACE)
  await store.commitDerivation({
    ...key,
    deriver: DERIVER,
    ...begin,
    cursor: count,
    readings,
    now: new Date(),
    erasureVersion,
  })
  const scope = { workspace: WORKSPACE, conversations: ['long'] }
  const random = seededRandom(14)
  const places = (wanted) => Array.from({ length: wanted }, () => POSITIONS + Math.floor(random() * count))
  const common = ['the', 'of', 'and', 'in']
  const repeats = fixture.repeats(100)
  const rows = [
    ...(await time(`findPlaces: common words, a conversation ${among(count)}`, repeats, (i) =>
      store.findPlaces({ ...scope, allOf: [[common[i % common.length]]], limit: LIMIT }),
    )),
    ...(await time(`headsAt: 300 places by chance ${among(count)}`, repeats, () =>
      store.headsAt(WORKSPACE, places(LIMIT)),
    )),
    ...(await time(`wordsAt: 60 places by chance ${among(count)}`, repeats, () =>
      store.wordsAt(WORKSPACE, places(60)),
    )),
    ...(await time(
      `findNearest: ${LONG_DIMENSIONS} dimensions, a conversation ${among(count)}`,
      repeats,
      (i) =>
        store.findNearest({
          ...scope,
          deriver: DERIVER,
          vector: readings[(i * 97) % count].vector,
          limit: 10,
          leastSimilarity: 0.25,
        }),
    )),
  ]
  await store.close()
  return rows
}
