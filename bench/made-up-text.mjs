// Text that behaves like English where it matters for speed: how often words repeat (Zipf), how long they
// are, how many tokens they take (about 1.5 a word; real English takes 1.1 to 1.4). The frequent words are
// real, since each is a single token; the rest are compounds of them. The same seed gives the same text.

import { FREQUENT_WORDS } from './frequent-words.mjs'

const BEGINNINGS = ['', '', '', '', '', '', '', '', '', 're', 'un', 'over', 'out']
const ENDINGS =
  `s ing ed er ers est ly ness less ful able ment ish ity ism ist al age ward wise like ship hood dom
  work land man house way line side time book day room light`.split(/\s+/)
const VOCABULARY_WORDS = 20_000
/** Zipf's law with Mandelbrot's correction, with the numbers that fit English: 1 / (rank + shift) ^ exponent. */
const ZIPF_SHIFT = 2.7
const ZIPF_EXPONENT = 1.12

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function seededRandom(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const pick = (random, list) => list[Math.floor(random() * list.length)]

const makeWord = (random) => pick(random, BEGINNINGS) + pick(random, FREQUENT_WORDS) + pick(random, ENDINGS)

function makeVocabulary(random) {
  const words = new Set(FREQUENT_WORDS)
  while (words.size < VOCABULARY_WORDS) words.add(makeWord(random).toLowerCase())
  return [...words]
}

function cumulativeWeights(length) {
  let sum = 0
  const sums = Array.from({ length }, (_, rank) => {
    sum += 1 / (rank + ZIPF_SHIFT) ** ZIPF_EXPONENT
    return sum
  })
  return sums.map((weight) => weight / sum)
}

function indexOfFirstAbove(sums, value) {
  let low = 0
  for (let high = sums.length - 1; low < high; ) {
    const middle = (low + high) >> 1
    if (sums[middle] > value) high = middle
    else low = middle + 1
  }
  return low
}

function toSentence(random, words) {
  const first = words[0].charAt(0).toUpperCase() + words[0].slice(1)
  const rest = words.slice(1).map((word) => (random() < 0.06 ? `, ${word}` : ` ${word}`))
  return first + rest.join('') + pick(random, ['.', '.', '.', '.', '?', '!'])
}

/** A writer of texts with a given number of words. */
export function createWriter(seed) {
  const random = seededRandom(seed)
  // All writers share one language, whatever their seed.
  const vocabulary = makeVocabulary(seededRandom(1))
  const sums = cumulativeWeights(vocabulary.length)
  const nextWord = () =>
    random() < 0.01 ? String(Math.floor(random() * 3000)) : vocabulary[indexOfFirstAbove(sums, random())]
  return (wordCount) => {
    const sentences = []
    for (let left = wordCount; left > 0; ) {
      const length = Math.min(left, 6 + Math.floor(random() * 12))
      sentences.push(toSentence(random, Array.from({ length }, nextWord)))
      left -= length
    }
    return sentences.join(' ')
  }
}

export const MESSAGE_WORDS = 60

/** A writer of messages of 60 words, by user and assistant in turn. */
export function createMessageWriter(seed) {
  const write = createWriter(seed)
  let written = 0
  const next = () => ({ role: written++ % 2 === 0 ? 'user' : 'assistant', content: write(MESSAGE_WORDS) })
  return (count) => Array.from({ length: count }, next)
}

const FLAGGED_EVERY = 5000

/** A writer of queries: a question of 10 words, SQL, five rows and an answer of 40 words; a few are flagged. */
export function createQueryWriter(seed) {
  const write = createWriter(seed)
  let written = 0
  const next = () => ({
    query: write(10),
    sql: `SELECT ${write(3).replaceAll(/\W+/g, '_')} FROM orders GROUP BY region`,
    results: Array.from({ length: 5 }, (_, i) => ({ region: write(1), total: i * 1000 })),
    response: write(40),
    important: written++ % FLAGGED_EVERY === 0,
  })
  return (count) => Array.from({ length: count }, next)
}
