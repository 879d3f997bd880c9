// What the rolling summary said when it covered less. A context shows the last turns in full and a summary of
// everything before them, so it needs the summary as it was then. It needs the same one for as long as its turns
// begin at the same position: a newer one would change the prompt near its start.
//
// A roll keeps most sentences, drops some and adds some at the end. So each sentence is stored once, with the
// rolls between which it was part of the summary. A roll is identified by the number of messages that it covers.

import type { MessageId } from '../../domain/ids.ts'
import type { SummarySentence } from './summary.ts'

/** A sentence and the range of rolls in which it was part of the summary. */
export interface PastSentence {
  readonly text: string
  readonly messageId: MessageId
  /** The roll that added it. */
  readonly from: number
  /** The first roll without it; missing while it is part of the summary. */
  readonly to?: number
}

/** About a hundred rolls: as far back as the turns in the default window go. */
const MOST_DROPPED = 400

/** The history after a roll. */
export function addRoll(
  history: readonly PastSentence[],
  sentences: readonly SummarySentence[],
  through: number,
): readonly PastSentence[] {
  const left = new Set(sentences.map(nameOf))
  const known = new Set<string>()
  const kept = history.map((sentence) => {
    if (sentence.to !== undefined) return sentence
    known.add(nameOf(sentence))
    return left.has(nameOf(sentence)) ? sentence : { ...sentence, to: through }
  })
  const fresh = sentences
    .filter((sentence) => !known.has(nameOf(sentence)))
    .map(({ text, messageId }) => ({ text, messageId, from: through }))
  return forgetOldest([...kept, ...fresh])
}

const nameOf = ({ messageId, text }: Pick<PastSentence, 'messageId' | 'text'>): string =>
  `${messageId}\n${text}`

function forgetOldest(history: readonly PastSentence[]): readonly PastSentence[] {
  const dropped = history.flatMap(({ to }) => to ?? []).sort((left, right) => right - left)
  const oldest = dropped[MOST_DROPPED]
  return oldest === undefined ? history : history.filter(({ to }) => to === undefined || to > oldest)
}

/** The summary as it was when it last covered only messages before `position`. */
export function sentencesBefore(history: readonly PastSentence[], position: number): readonly PastSentence[] {
  return history.filter(({ from, to }) => from <= position && (to === undefined || position < to))
}

/** A summary that a model wrote, with its sequence number. */
export interface PastText {
  readonly through: number
  readonly text: string
  readonly number: number
}

/** All of the newest summaries are kept; of older ones every second, then every fourth, and so on. */
const KEPT_WHOLE = 8

/** Thins out older texts; the newest is last. Which ones are kept depends only on their numbers. */
export function thinOut(texts: readonly PastText[]): readonly PastText[] {
  const newest = texts.at(-1)?.number ?? 0
  return texts.filter(({ number }) => {
    const age = newest - number
    return age < KEPT_WHOLE || number % 2 ** Math.floor(Math.log2(age / KEPT_WHOLE) + 1) === 0
  })
}
