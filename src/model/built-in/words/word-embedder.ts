// An embedder for comparing texts within one call, without a model: half of a vector says which words a text has, the
// other half what they mean.
//
// The first part is the vector of the built-in embedder, which matches forms, compounds and names in any language. The
// second is the mean of the word vectors of the English words in the text, frequent words weighed down by a / (a + p) for
// a word of frequency p (Arora et al. 2017). Frequency follows from the rank of a word by Zipf's law. A text without a
// known word has zeros there. The product of two vectors is the sum of the cosines of the parts, the first one halved:
// up to 1.5, where 1 is as similar as texts with different words get.
//
// The table (word-table.ts) takes a few milliseconds to load, which happens with the first text.

import { listWords, SMALL_WORDS } from '../../../domain/words.ts'
import type { Embedder } from '../../models.ts'
import { builtInEmbedder } from '../built-in-embedder.ts'

/** What the first part counts, beside 1 for the second. */
const FORMS_SHARE = 1 / 2
/** The parameter a. */
const SMOOTHING = 1e-4
/** Zipf's law: the share of the n-th word among all words is about 0.1 / n; the first ones are less frequent. */
const ZIPF = 0.1
const ZIPF_OFFSET = 20
/** Maximum words of a text: later ones hardly move the mean. */
const MAX_WORDS = 300

export const wordEmbedder: Embedder = Object.freeze({
  name: 'built-in-words/1',
  dimensions: builtInEmbedder.dimensions + 100,
  sameTopicSimilarity: builtInEmbedder.sameTopicSimilarity,
  unrelatedSimilarity: 0,
  embed: async (texts: readonly string[]) => {
    const table = await loadTable()
    const forms = await builtInEmbedder.embed(texts)
    return texts.map((text, i) => join(forms[i] as Float32Array, table.meaningOf(text)))
  },
})

function join(forms: Float32Array, meaning: Float32Array): Float32Array {
  const joined = new Float32Array(forms.length + meaning.length)
  const scale = Math.sqrt(FORMS_SHARE)
  for (let i = 0; i < forms.length; i++) joined[i] = (forms[i] as number) * scale
  joined.set(meaning, forms.length)
  return joined
}

interface WordTable {
  /** The weighted mean of the word vectors of a text, of unit length; zeros if no word is known. */
  meaningOf(text: string): Float32Array
}

let loading: Promise<WordTable> | undefined

function loadTable(): Promise<WordTable> {
  loading ??= readTable()
  return loading
}

async function readTable(): Promise<WordTable> {
  const { WORDS, PIECE, PIECES, LARGEST, CENTROIDS, CODES } = await import('./word-table.ts')
  const rankOf = new Map(WORDS.split(' ').map((word, rank) => [word, rank]))
  const codes = Buffer.from(CODES, 'base64')
  const centroids = Float32Array.from(
    new Int8Array(Buffer.from(CENTROIDS, 'base64')),
    (value) => (value * LARGEST) / 127,
  )
  const addWord = (sum: Float32Array, rank: number) => {
    const weight = SMOOTHING / (SMOOTHING + ZIPF / (rank + ZIPF_OFFSET))
    for (let piece = 0, at = 0; piece < PIECES; piece++) {
      const from = (piece * 256 + (codes[rank * PIECES + piece] as number)) * PIECE
      for (let d = from; d < from + PIECE; d++, at++)
        sum[at] = (sum[at] as number) + weight * (centroids[d] as number)
    }
  }
  return {
    meaningOf(text) {
      const sum = new Float32Array(PIECES * PIECE)
      const words = listWords(text)
      for (let i = 0; i < words.length && i < MAX_WORDS; i++) {
        const word = words[i] as string
        const rank = SMALL_WORDS.has(word) ? undefined : rankOf.get(word)
        if (rank !== undefined) addWord(sum, rank)
      }
      return toUnitLength(sum)
    },
  }
}

function toUnitLength(vector: Float32Array): Float32Array {
  let sum = 0
  for (let i = 0; i < vector.length; i++) sum += (vector[i] as number) * (vector[i] as number)
  const length = Math.sqrt(sum)
  if (length > 0) for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] as number) / length
  return vector
}
