#!/usr/bin/env node
// How well recall finds what a question needs, without a model, on conversations whose evidence is known.
//
//   npx tsc -p tsconfig.build.json && node evals/recall.mjs [--set locomo|beam] [--data FOLDER] [--dist FOLDER]
//     [--budget 800] [--recall JSON] [--ablation] [--json] [--store postgres://…] [--postgres]
//
// `--store` says where messages are kept, several times to compare; `--postgres` compares the file with a PostgreSQL
// server that is started for it. Each conversation gets a separate workspace, which is erased afterwards.
//
// For each conversation all messages are recorded through the library, then each question is asked:
// - recall@k: the share of a question's evidence messages among the first k of fifty messages that recall returns.
// - of 5: the same where five are asked for: then fewer are read.
// - in N tokens: the same for what recall returns within a budget, all kinds together, counted only where at
//   least 60 % of the message's words (or 50 of them) are in the returned text.
// Figures are means over questions, in percent. `--ablation` switches off each signal in turn.
// The data is not part of the project; do not tune constants to it.

import { randomUUID } from 'node:crypto'
import { readOptions } from '../bench/read-options.mjs'
import { startPostgres } from '../bench/temporary-postgres.mjs'
import { isThere, loadLibrary, mean, percent, readSet, SHARED_OPTIONS, terminal } from './evidence.mjs'

const options = readOptions(import.meta.url, {
  ...SHARED_OPTIONS,
  budget: { type: 'string', default: '800' },
  ablation: { type: 'boolean', default: false },
  recall: { type: 'string', default: '{}' },
  store: { type: 'string', multiple: true, default: [':memory:'] },
  postgres: { type: 'boolean', default: false },
})

const DEPTHS = [5, 10, 25, 50]
const FEW = 5
const BUDGET = Number(options.budget)

/** What is switched off, and by which options. */
const ABLATIONS = {
  'all signals': {},
  'without the words around it': { neighboursWeight: 0 },
  'without its own words': { wordsWeight: 0 },
  'without related words and synonyms': { synonymWeight: 0 },
  'without phrases': { phraseWeight: 0 },
  'without the sitting': { sessionWeight: 0 },
  'without meaning (built-in vectors)': { meaningWeight: 0 },
  'without the speaker': { speakerWeight: 0 },
  'without people before assistants': { personWeight: 0 },
  'without time': { timeWeight: 0, recencyWeight: 0 },
  'without what is asked for': { answerWeight: 0 },
  'without preferences for advice': { preferenceWeight: 0 },
  'without replies to questions': { replyWeight: 0 },
  'without length and bare questions': { lengthWeight: 0, bareQuestionWeight: 0 },
}

async function main() {
  const { openMemory, withTuning } = await loadLibrary(options.dist)
  const server = options.postgres ? await startPostgres() : undefined
  const stores = server === undefined ? options.store : [...options.store, server.url]
  const tables = {}
  for (const set of options.set) {
    const conversations = readSet(options.data, set)
    for (const store of stores) {
      const title = stores.length === 1 ? set : `${set} · ${store.split(':')[0] || 'file'}`
      const openWith = (recall) => () =>
        openMemory(store, withTuning({ workspace: randomUUID() }, { recall }))
      Object.assign(tables, await scoreRuns({ title, conversations, openWith }))
    }
  }
  server?.stop()
  if (options.json) terminal.log(JSON.stringify(tables))
  else terminal.table(tables)
}

async function scoreRuns({ title, conversations, openWith }) {
  const given = JSON.parse(options.recall)
  if (!options.ablation) return byCategory(title, await scoreSet(openWith(given), conversations))
  const tables = {}
  for (const [name, recall] of Object.entries(ABLATIONS)) {
    tables[`${title} · ${name}`] = means(await scoreSet(openWith({ ...given, ...recall }), conversations))
  }
  return tables
}

async function scoreSet(open, conversations) {
  const hits = []
  for (const { messages, questions } of conversations) {
    const memory = await open()
    const recorded = await memory
      .conversation('chat')
      .record(messages.map(({ key: _, ...message }) => message))
    await memory.whenDerived()
    const idOf = new Map(messages.map(({ key }, i) => [key, recorded[i].id]))
    const textOf = new Map(messages.map(({ content }, i) => [recorded[i].id, content]))
    for (const { text, category, evidence } of questions) {
      const wanted = evidence.map((key) => idOf.get(key))
      hits.push({ category, ...(await scoreQuestion(memory, { text, wanted, textOf })) })
    }
    await memory.erase()
    await memory.close()
  }
  return hits
}

async function scoreQuestion(memory, { text, wanted, textOf }) {
  const scope = { conversationId: 'chat' }
  const started = performance.now()
  const ranked = await memory.recall(text, { ...scope, kinds: ['message'], limit: 50 })
  const ms = performance.now() - started
  const few = await memory.recall(text, { ...scope, kinds: ['message'], limit: FEW })
  const best = new Set(few.items.flatMap(({ messageIds }) => messageIds))
  const order = [...new Set(ranked.items.flatMap(({ messageIds }) => messageIds))]
  const within = await memory.recall(text, { ...scope, budgetTokens: BUDGET, limit: 100 })
  const shownText = within.items.map((item) => item.text).join('\n')
  const shown = new Set(within.items.flatMap(({ messageIds }) => messageIds))
  const share = (isThere) => mean(wanted.map((id) => (isThere(id) ? 1 : 0)))
  return {
    ...Object.fromEntries(DEPTHS.map((k) => [`@${k}`, share((id) => order.slice(0, k).includes(id))])),
    [`of ${FEW}`]: share((id) => best.has(id)),
    [`in ${BUDGET}`]: share((id) => shown.has(id) && isThere(textOf.get(id), shownText)),
    tokens: within.items.reduce((sum, { tokens }) => sum + tokens, 0),
    ms,
  }
}

function byCategory(set, hits) {
  const categories = [...new Set(hits.map(({ category }) => category))]
  const of = (category) => hits.filter((hit) => hit.category === category)
  return {
    [`${set} · all`]: means(hits),
    ...Object.fromEntries(categories.map((category) => [`${set} · ${category}`, means(of(category))])),
  }
}

function means(hits) {
  const share = (field) => percent(mean(hits.map((hit) => hit[field])))
  return {
    questions: hits.length,
    ...Object.fromEntries(
      [...DEPTHS.map((k) => `@${k}`), `of ${FEW}`, `in ${BUDGET}`].map((field) => [field, share(field)]),
    ),
    tokens: Math.round(mean(hits.map(({ tokens }) => tokens))),
    'p50 ms': quantile(hits, 0.5),
    'p95 ms': quantile(hits, 0.95),
  }
}

function quantile(hits, share) {
  const sorted = hits.map(({ ms }) => ms).sort((one, other) => one - other)
  return Math.round(10 * sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]) / 10
}

// Stops the server that was started.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))
await main()
