// The summary that needs no model. It is made of whole sentences that were said, told in the third person.
//
// 1. Every sentence of the new turns is reported: "I've booked a table" becomes "Ana has booked a table",
//    "Can you call them?" becomes "Ana asks Ben to call them" (report/report-sentence.ts). Greetings, asides,
//    code and lists are left out.
// 2. Each is weighed: what it is about, what is done by saying it, decisions and figures (score-sentences.ts).
// 3. The sentences of the previous summary join them with the weight they were given then. Nothing older is
//    read again: a roll costs what its new turns cost.
// 4. Sentences are chosen for weight and for words not yet said, until the summary has a quarter of the length of
//    what it stands for, or the limit is reached (choose-sentences.ts).
// 5. The chosen ones are put back into the order in which they were said.
//
// What holds whatever is given: (a) the text never has more tokens than allowed; (b) every sentence is whole
// and comes from one message, which is named; (c) the same turns give the same summary; (d) time grows with
// the length of the turns, not with its square.

import type { CountTokens } from '../../domain/tokens.ts'
import { chooseSentences, type WeighedSentence } from './choose-sentences.ts'
import { contentWords } from './content-words.ts'
import { findKeyTopics } from './find-key-topics.ts'
import { findSentences, type SentenceCandidate } from './find-sentences.ts'
import { type ReadTurn, readTurns } from './read-turns.ts'
import { scoreSentences } from './score-sentences.ts'
import type { Summary, SummarySentence, Turn } from './summary.ts'

export interface ExtractionRequest {
  /** What is to be summarized, or with a previous summary, what was said since. */
  readonly turns: readonly Turn[]
  /** What was summarized before; its sentences compete with the new ones. */
  readonly previous?: Summary
  readonly countTokens: CountTokens
  readonly maxTokens: number
  /** Of the new sentences, so many with the weightiest words are looked at closely. @default 2000 */
  readonly mostSentences?: number
}

/** People write about a fifth of what was said; told in the third person, names and verbs of reporting come on top. */
const AIMED_SHARE = 1 / 4
const MOST_TOPICS = 5

/** A summary of the turns, and of the previous summary, that never has more than `maxTokens`. */
export function extractSummary(request: ExtractionRequest): Summary {
  const { previous, countTokens, maxTokens, mostSentences } = request
  const turns = readTurns(request.turns)
  const weightOf = weighWords(turns)
  const candidates = findSentences(turns, weightOf, mostSentences)
  const isOpening = previous === undefined
  const sentences = [
    ...rememberSentences(previous),
    ...toWeighed(candidates, scoreSentences(candidates, { weightOf, isOpening })),
  ]
  const aimTokens = aimAt(turns, request)
  const chosen = chooseSentences(sentences, { countTokens, aimTokens, maxTokens })
  const told = dropUntilFits(chosen, countTokens, maxTokens)
  const keyTopics = findKeyTopics(mostSentences === undefined ? turns : lookedAt(turns, candidates), {
    weightOf,
    previous: previous?.keyTopics ?? [],
    limit: MOST_TOPICS,
  })
  return toSummary(told, keyTopics)
}

/** The turns with nothing but the sentences that were looked at closely. */
function lookedAt(turns: readonly ReadTurn[], candidates: readonly SentenceCandidate[]): ReadTurn[] {
  const originals = new Map<string, SentenceCandidate[]>()
  for (const candidate of candidates) {
    originals.set(candidate.messageId, [...(originals.get(candidate.messageId) ?? []), candidate])
  }
  return turns.map((read) => ({
    ...read,
    prose: (originals.get(read.turn.id) ?? []).map(({ original }) => original).join(' '),
  }))
}

/** What is said often is what it is about; the tenth mention adds less than the second. */
function weighWords(turns: readonly ReadTurn[]): (word: string) => number {
  const counts = new Map<string, number>()
  for (const { sentences } of turns) {
    for (const { words } of sentences) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return toWeights(counts)
}

function toWeights(counts: ReadonlyMap<string, number>): (word: string) => number {
  const weights = new Map<string, number>()
  for (const [word, count] of counts) weights.set(word, Math.log2(1 + count))
  return (word) => weights.get(word) ?? 0
}

function rememberSentences(previous: Summary | undefined): WeighedSentence[] {
  return (previous?.sentences ?? []).map((sentence) => ({
    ...sentence,
    words: [...new Set(contentWords(sentence.text))],
  }))
}

function toWeighed(candidates: readonly SentenceCandidate[], weights: readonly number[]): WeighedSentence[] {
  return candidates.map(({ text, messageId, speaker, words }, place) => ({
    text,
    messageId,
    speaker,
    words,
    weight: weights[place] ?? 0,
  }))
}

/** Counts only until the limit is reached: what lies beyond it changes nothing. */
function aimAt(turns: readonly ReadTurn[], { previous, countTokens, maxTokens }: ExtractionRequest): number {
  const before = previous?.tokens ?? 0
  let said = 0
  for (const { prose } of turns) {
    if (before + AIMED_SHARE * said >= maxTokens) break
    said += countTokens(prose)
  }
  return before + AIMED_SHARE * said
}

/** The sentences of a summary, with what they make together. */
interface Told {
  readonly sentences: readonly WeighedSentence[]
  readonly text: string
  readonly tokens: number
}

/** Sentences were counted one by one, and a tokenizer may count the whole higher: the lightest goes. */
function dropUntilFits(
  sentences: readonly WeighedSentence[],
  countTokens: CountTokens,
  maxTokens: number,
): Told {
  const text = toText(sentences)
  const tokens = text === '' ? 0 : countTokens(text)
  if (sentences.length === 0 || tokens <= maxTokens) return { sentences, text, tokens }
  const lightest = sentences.reduce((least, sentence) => (sentence.weight < least.weight ? sentence : least))
  return dropUntilFits(
    sentences.filter((sentence) => sentence !== lightest),
    countTokens,
    maxTokens,
  )
}

function toSummary({ text, tokens, sentences: chosen }: Told, keyTopics: readonly string[]): Summary {
  const sentences = chosen.map(
    ({ text: sentence, messageId, weight }): SummarySentence => ({ text: sentence, messageId, weight }),
  )
  const messageIds = [...new Set(sentences.map(({ messageId }) => messageId))]
  return { text, keyTopics, messageIds, tokens, sentences }
}

function toText(sentences: readonly SummarySentence[]): string {
  return sentences.map(({ text }) => text).join(' ')
}
