// What the evaluations of recall and of contexts share: conversations with questions whose evidence is known, and when
// a message counts as shown.

import { Console } from 'node:console'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

export const terminal = new Console(process.stdout, process.stderr)

/** Options of both. */
export const SHARED_OPTIONS = {
  set: { type: 'string', multiple: true, default: ['locomo', 'beam'] },
  data: { type: 'string', default: join(root, '../shared/bench') },
  dist: { type: 'string', default: join(root, 'dist') },
  json: { type: 'boolean', default: false },
}

/** Conversations: messages with a key each, and questions with the keys of the messages that answer them. */
export function readSet(folder, set) {
  const file = resolve(folder, `recall-${set}-dev.jsonl.gz`)
  if (!existsSync(file)) stop(`there is no ${file}`, 'name the folder of the benchmark data with --data')
  const lines = gunzipSync(readFileSync(file)).toString('utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line))
}

/** The built library. */
export async function loadLibrary(folder) {
  const path = resolve(folder, 'index.js')
  if (!existsSync(path)) stop(`there is no ${path}`, 'run `npm run build` first')
  const { withTuning } = await import(pathToFileURL(resolve(folder, 'options/resolve-options.js')).href)
  return { ...(await import(pathToFileURL(path).href)), withTuning }
}

/** A message counts as shown if at least 60 % of its words, or 50 of them, are in the text: an id alone is not evidence. */
export function isThere(content, text) {
  const own = new Set(words(content))
  const there = new Set(words(text))
  return [...own].filter((word) => there.has(word)).length >= Math.min(0.6 * own.size, 50)
}

const words = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

export const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length

export const percent = (share) => Math.round(1000 * share) / 10

export function stop(problem, remedy) {
  terminal.error(`${problem}\n  ${remedy}`)
  process.exit(1)
}
