// Picks sentences one by one: always the one with the highest product of weight and the share of its content
// words that no picked sentence contains yet. Sentences that repeat others are never picked. A sentence is added
// if it fits below the limit and at least half of it fits the target length, so that the target is met on average
// and no sentence is ever cut.

import type { CountTokens } from '../../domain/tokens.ts'
import type { SummarySentence } from './summary.ts'

export interface WeighedSentence extends SummarySentence {
  readonly speaker?: string
  readonly words: readonly string[]
}

interface Room {
  readonly countTokens: CountTokens
  readonly aimTokens: number
  readonly maxTokens: number
}

/** Every pick scans all remaining sentences; beyond the highest weights none is ever picked. */
const MOST_CONSIDERED = 1000
/** Below this share of new words, a sentence only repeats others. */
const LEAST_FRESH = 1 / 3
/** A small bonus for a speaker who is not in the summary yet; small, as one side often has little to say. */
const UNHEARD_FACTOR = 1.25

interface Option {
  readonly sentence: WeighedSentence
  readonly tokens: number
}

/** The picked sentences, in the order of the input. */
export function chooseSentences(sentences: readonly WeighedSentence[], room: Room): WeighedSentence[] {
  const open = new Set(weightiest(sentences).map((sentence) => toOption(sentence, room.countTokens)))
  const chosen = new Set<WeighedSentence>()
  const heard = { words: new Set<string>(), speakers: new Set<string | undefined>() }
  for (let used = 0; ; ) {
    const fits = ({ tokens }: Option) =>
      used + tokens <= room.maxTokens && (used === 0 || used + tokens / 2 <= room.aimTokens)
    const best = findBest(open, fits, heard)
    if (best === undefined) break
    open.delete(best)
    chosen.add(best.sentence)
    used += best.tokens
    heard.speakers.add(best.sentence.speaker)
    for (const word of best.sentence.words) heard.words.add(word)
  }
  return sentences.filter((sentence) => chosen.has(sentence))
}

function weightiest(sentences: readonly WeighedSentence[]): WeighedSentence[] {
  if (sentences.length <= MOST_CONSIDERED) return [...sentences]
  return sentences.toSorted((a, b) => b.weight - a.weight).slice(0, MOST_CONSIDERED)
}

function toOption(sentence: WeighedSentence, countTokens: CountTokens): Option {
  // Includes the space that separates it from the previous sentence.
  return { sentence, tokens: countTokens(` ${sentence.text}`) }
}

interface Heard {
  readonly words: ReadonlySet<string>
  readonly speakers: ReadonlySet<string | undefined>
}

function findBest(
  options: Iterable<Option>,
  fits: (option: Option) => boolean,
  heard: Heard,
): Option | undefined {
  let best: Option | undefined
  let highest = 0
  for (const option of options) {
    // An upper bound on its gain. Most sentences are skipped here without comparing words.
    if (option.sentence.weight * UNHEARD_FACTOR <= highest || !fits(option)) continue
    const gain = gainOf(option.sentence, heard)
    if (gain <= highest) continue
    highest = gain
    best = option
  }
  return best
}

function gainOf({ words, speaker, weight }: WeighedSentence, heard: Heard): number {
  const fresh = countFresh(words, heard.words) / Math.max(1, words.length)
  if (fresh < LEAST_FRESH) return 0
  const isUnheard = speaker !== undefined && heard.speakers.size > 0 && !heard.speakers.has(speaker)
  return weight * fresh * (isUnheard ? UNHEARD_FACTOR : 1)
}

function countFresh(words: readonly string[], heard: ReadonlySet<string>): number {
  let fresh = 0
  for (const word of words) if (!heard.has(word)) fresh += 1
  return fresh
}
