#!/usr/bin/env node

// How much of what a question needs is in the prompt that `context` builds, without a model, within a budget.
//
//   npx tsc -p tsconfig.build.json && node evals/context.mjs [--set locomo|beam] [--data FOLDER] [--dist FOLDER]
//     [--budget 2000 --budget 4000] [--context JSON] [--json]
//
// For each conversation all messages are recorded through the library; then for each question
// `conversation.context(question, { budgetTokens })` is called, and every evidence message is looked for in the
// prompt itself: the receipt has to name it, and at least 60 % of its words, or 50 of them, have to be in one message
// of the prompt or in one line of memory. Baselines are the last messages that fit the same budget (`memory: false`)
// and the whole history, which always contains everything. `--context` gives options of the group
// `context`. Figures are means over questions; shares in percent. The data is not part of the project; do not tune
// constants to it.

import { readOptions } from '../bench/read-options.mjs'
import { isThere, loadLibrary, mean, percent, readSet, SHARED_OPTIONS, terminal } from './evidence.mjs'

const options = readOptions(import.meta.url, {
  ...SHARED_OPTIONS,
  budget: { type: 'string', multiple: true, default: ['2000', '4000'] },
  context: { type: 'string', default: '{}' },
})

const BUDGETS = options.budget.map(Number)
/** More than any conversation of the sets. */
const EVERYTHING = 10_000_000

async function main() {
  const library = await loadLibrary(options.dist)
  const tables = {}
  for (const set of options.set) {
    const hits = []
    for (const conversation of readSet(options.data, set))
      hits.push(...(await scoreConversation(library, conversation)))
    Object.assign(tables, toTable(set, hits))
  }
  if (options.json) terminal.log(JSON.stringify(tables))
  else terminal.table(tables)
}

async function scoreConversation({ openMemory, readableText, withoutInjected }, { messages, questions }) {
  const memory = await openMemory(':memory:', { context: JSON.parse(options.context) })
  const chat = memory.conversation('chat')
  const recorded = await chat.record(messages.map(({ key: _, ...message }) => message))
  await memory.whenDerived()
  const saidOf = new Map(messages.map(({ key, content }, i) => [key, { id: recorded[i].id, content }]))
  const whole = await chat.context('?', { budgetTokens: EVERYTHING, memory: false })
  const hits = []
  for (const { text, category, evidence } of questions) {
    const hit = { category, 'whole history': { share: 1, tokens: whole.receipt.tokens, ms: 0 } }
    const score = async (name, request) => {
      const started = performance.now()
      const { messages: prompt, receipt } = await chat.context(text, request)
      const ms = performance.now() - started
      const units = prompt.flatMap(({ content }) => unitsOf(readableText(content), withoutInjected))
      const named = new Set(receipt.parts.flatMap(idsOf))
      const isShown = ({ id, content }) => named.has(id) && units.some((unit) => isThere(content, unit))
      hit[name] = {
        share: mean(evidence.map((key) => (isShown(saidOf.get(key)) ? 1 : 0))),
        tokens: receipt.tokens,
        ms,
      }
    }
    for (const budgetTokens of BUDGETS) {
      await score(`with memory, ${budgetTokens}`, { budgetTokens })
      await score(`last messages, ${budgetTokens}`, { budgetTokens, memory: false })
    }
    hits.push(hit)
  }
  await memory.close()
  return hits
}

/** Messages that are in a part of the prompt, or were its source. */
const idsOf = ({ messageIds, items = [] }) => [...messageIds, ...items.flatMap((item) => item.messageIds)]

/** What was said, and each line of memory with what is set in below it. */
function unitsOf(text, withoutInjected) {
  const said = withoutInjected(text)
  if (said === text) return [text]
  return [said, ...text.slice(0, text.length - said.length).split(/\n(?! {2})/)]
}

function toTable(set, hits) {
  const { category: _, ...first } = hits[0]
  return Object.fromEntries(
    Object.keys(first).map((name) => {
      const of = hits.map((hit) => hit[name])
      const sorted = of.map(({ ms }) => ms).sort((one, other) => one - other)
      const row = {
        questions: hits.length,
        'evidence in the prompt': percent(mean(of.map(({ share }) => share))),
        'all of it': percent(mean(of.map(({ share }) => (share === 1 ? 1 : 0)))),
        tokens: Math.round(mean(of.map(({ tokens }) => tokens))),
        'p50 ms': Math.round(sorted[Math.floor(sorted.length / 2)]),
      }
      return [`${set} · ${name}`, row]
    }),
  )
}

await main()
