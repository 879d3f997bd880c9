// The summary that needs no model. It consists of whole sentences that were said, in the third person.
//
// 1. Every sentence of the new turns is rewritten as reported speech: "I've booked a table" becomes "Ana has
//    booked a table", "Can you call them?" becomes "Ana asks Ben to call them" (report/report-sentence.ts).
//    Greetings, asides, code and lists are left out.
// 2. Each sentence is scored by its subject, its speech act, decisions and figures (score-sentences.ts).
// 3. The sentences of the previous summary are added with the weight they had there. Nothing older is read again:
//    the cost of a roll depends only on its new turns.
// 4. Sentences are chosen for weight and for words not yet covered, until the summary has a quarter of the length
//    of a short talk, more of a long one, or the limit is reached (choose-sentences.ts). What a later sentence
//    supersedes is not chosen.
// 5. The chosen sentences are sorted into the order in which they were said.
//
// Invariants: (a) the text never has more tokens than allowed; (b) every sentence is complete and comes from one
// message, which is named; (c) the same turns give the same summary; (d) time grows linearly with the length of
// the turns.

import type { CountTokens } from '../../domain/tokens.ts'
import { chooseSentences, type WeighedSentence } from './choose-sentences.ts'
import { contentWords } from './content-words.ts'
import { findKeyTopics } from './find-key-topics.ts'
import { findSentences, type SentenceCandidate } from './find-sentences.ts'
import { type ReadTurn, readTurns } from './read-turns.ts'
import { findOutdated, scoreSentences } from './score-sentences.ts'
import type { Summary, SummarySentence, Turn } from './summary.ts'

export interface ExtractionRequest {
  /** The turns to summarize; with a previous summary, only those since. */
  readonly turns: readonly Turn[]
  /** The previous summary. Its sentences compete with the new ones. */
  readonly previous?: Summary
  readonly countTokens: CountTokens
  readonly maxTokens: number
  /** Maximum number of new sentences to score, those with the highest word weights. @default 2000 */
  readonly mostSentences?: number
}

/** People write about a fifth of what was said; in the third person, names and verbs of reporting are added. */
const AIMED_SHARE = 1 / 4
/** A longer conversation has more that is worth keeping than one exchange of news: decisions, names, dates. */
const SHORT_TOKENS = 300
const LONG_SHARE = 0.7
const MOST_TOPICS = 5

/** A summary of the turns and of the previous summary, with at most `maxTokens`. */
export function extractSummary(request: ExtractionRequest): Summary {
  const { previous, countTokens, maxTokens, mostSentences } = request
  const turns = readTurns(request.turns)
  const weightOf = weighWords(turns)
  const candidates = findSentences(turns, weightOf, mostSentences)
  const isOpening = previous === undefined
  const isOutdated = findOutdated(turns.map(({ turn }) => turn))
  const sentences = [
    ...rememberSentences(previous).filter(
      ({ text, messageId }) => !isOutdated({ original: withoutSpeaker(text), messageId }),
    ),
    ...toWeighed(candidates, scoreSentences(candidates, { weightOf, isOpening, isOutdated })),
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

/** The turns with only the sentences that were scored. */
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

/** Weighs words by frequency, logarithmically: the tenth mention adds less than the second. */
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

/** "Ana says the fair is on 3 May" → "the fair is on 3 May". */
const withoutSpeaker = (text: string): string => text.replace(/^[^“]{1,60}?(?: says |: “)|”$/gu, '')

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

/** The target length. Stops counting at the limit, since more makes no difference. */
function aimAt(turns: readonly ReadTurn[], { previous, countTokens, maxTokens }: ExtractionRequest): number {
  const before = previous?.tokens ?? 0
  let said = 0
  for (const { prose } of turns) {
    if (before + aimedTokens(said) >= maxTokens) break
    said += countTokens(prose)
  }
  return before + aimedTokens(said)
}

const aimedTokens = (said: number): number =>
  AIMED_SHARE * Math.min(said, SHORT_TOKENS) + LONG_SHARE * Math.max(0, said - SHORT_TOKENS)

/** The sentences of a summary, with their text and its tokens. */
interface Told {
  readonly sentences: readonly WeighedSentence[]
  readonly text: string
  readonly tokens: number
}

/** Drops the sentence with the lowest weight until all fit, since a tokenizer may count more for the whole text. */
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
