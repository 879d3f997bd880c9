// Quality of the extractive summary: ROUGE-1/2/L F1 against people's summaries of DialogSum's dialogues, with
// 60 tokens at most, beside plain baselines. Each dialogue counts with its best reference.
//
//   npx tsc -p tsconfig.build.json --outDir dist && node evals/summaries.mjs [--data FOLDER] [--show N]

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { readOptions } from '../bench/read-options.mjs'

const FILE = 'summaries-dialogsum-dev.jsonl.gz'
const MAX_TOKENS = 60
const root = dirname(dirname(fileURLToPath(import.meta.url)))

const values = readOptions(import.meta.url, {
  data: { type: 'string', default: resolve(root, '../shared/bench') },
  show: { type: 'string' },
})
const dialogues = readDialogues(join(values.data, FILE))
const { extractSummary, countTokens } = await loadCompiled()

const methods = {
  'first two turns': (turns) => joinTurns(turns.slice(0, 2)),
  'first three turns': (turns) => joinTurns(turns.slice(0, 3)),
  'first three turns, named': (turns) =>
    turns
      .slice(0, 3)
      .map(({ name, text }) => `${name}: ${text}`)
      .join(' '),
  'longest three turns': (turns) => joinTurns(longest(turns, 3)),
  'first turns, 60 tokens': leadingTurns,
  'extractive summary': (turns) => extractSummary({ turns, countTokens, maxTokens: MAX_TOKENS }).text,
}

printTable(Object.entries(methods).map(([name, method]) => [name, score(method)]))
for (const dialogue of dialogues.slice(0, Number(values.show ?? 0))) show(dialogue)

function readDialogues(path) {
  if (!existsSync(path)) {
    exit(`${path} is missing: give the folder with the benchmark data by --data FOLDER`)
  }
  const lines = gunzipSync(readFileSync(path)).toString('utf8').trim().split('\n')
  return lines.map((line) => toDialogue(JSON.parse(line)))
}

function toDialogue({ id, messages, references }) {
  const turns = messages.map(({ role, name, content }, position) => ({
    id: `${id}-${position}`,
    role,
    name,
    text: content,
    createdAt: new Date(Date.UTC(2026, 0, 1, 0, position)),
    position,
  }))
  return { id, turns, references }
}

async function loadCompiled() {
  const summaries = join(root, 'dist/derive/summaries/extract-summary.js')
  if (!existsSync(summaries)) {
    exit('nothing compiled: run npx tsc -p tsconfig.build.json --outDir dist')
  }
  const { extractSummary } = await import(summaries)
  const { loadTokenizer } = await import(join(root, 'dist/model/built-in/load-tokenizer.js'))
  const tokenizer = await loadTokenizer('o200k')
  return { extractSummary, countTokens: (text) => tokenizer.count(text) }
}

function score(method) {
  const figures = dialogues.map(({ turns, references }) => {
    const text = method(turns)
    const best = (measure) =>
      Math.max(...references.map((reference) => measure(toWords(text), toWords(reference))))
    return {
      'ROUGE-1': best((a, b) => gramScore(a, b, 1)),
      'ROUGE-2': best((a, b) => gramScore(a, b, 2)),
      'ROUGE-L': best(sequenceScore),
      words: toWords(text).length / 100,
    }
  })
  const mean = (name) => figures.reduce((sum, figure) => sum + figure[name], 0) / figures.length
  return Object.fromEntries(
    Object.keys(figures[0]).map((name) => [name, Number((100 * mean(name)).toFixed(1))]),
  )
}

function toWords(text) {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

function f1(hits, left, right) {
  return hits === 0 ? 0 : (2 * hits) / (left + right)
}

function gramScore(found, reference, n) {
  const toGrams = (words) => words.slice(n - 1).map((_, i) => words.slice(i, i + n).join(' '))
  const [left, right] = [toGrams(found), toGrams(reference)]
  const open = new Map()
  for (const gram of right) open.set(gram, (open.get(gram) ?? 0) + 1)
  const hits = left.filter((gram) => {
    const count = open.get(gram) ?? 0
    open.set(gram, count - 1)
    return count > 0
  })
  return f1(hits.length, left.length, right.length)
}

/** By the longest common subsequence. */
function sequenceScore(found, reference) {
  let above = new Array(reference.length + 1).fill(0)
  for (const word of found) {
    const row = [0]
    for (const [i, other] of reference.entries())
      row.push(word === other ? above[i] + 1 : Math.max(above[i + 1], row[i]))
    above = row
  }
  return f1(above[reference.length], found.length, reference.length)
}

function joinTurns(turns) {
  return turns.map(({ text }) => text).join(' ')
}

function longest(turns, count) {
  const kept = new Set([...turns].sort((a, b) => b.text.length - a.text.length).slice(0, count))
  return turns.filter((turn) => kept.has(turn))
}

function leadingTurns(turns) {
  const end = turns.findIndex((_, i) => countTokens(joinTurns(turns.slice(0, i + 1))) > MAX_TOKENS)
  return joinTurns(turns.slice(0, end < 0 ? turns.length : end))
}

function show({ id, turns, references }) {
  const summary = extractSummary({ turns, countTokens, maxTokens: MAX_TOKENS })
  print(`\n${id}`)
  for (const { name, text } of turns) print(`    ${name}: ${text}`)
  print(`  summary: ${summary.text}\n  topics: ${summary.keyTopics.join(' · ')}`)
  for (const reference of references) print(`  people: ${reference}`)
}

function printTable(rows) {
  const names = Object.keys(rows[0][1])
  print(['method'.padEnd(24), ...names.map((name) => name.padStart(8))].join(''))
  for (const [method, figures] of rows)
    print([method.padEnd(24), ...names.map((name) => figures[name].toFixed(1).padStart(8))].join(''))
}

function print(line) {
  process.stdout.write(`${line}\n`)
}

function exit(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
