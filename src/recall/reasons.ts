// The reasons for a rank, as phrases that people can read.

import type { Reason, Signal } from '../domain/recall.ts'
import type { FoundMessage } from './find-messages.ts'
import type { Question } from './question/read-question.ts'
import { isPerson } from './rank/ranked-message.ts'

const quote = (words: readonly string[]): string => words.map((word) => `"${word}"`).join(', ')

/** Strongest first. */
export function reasonsOf(message: FoundMessage, question: Question): readonly Reason[] {
  const phrases = phrasesFor(message, question)
  return (Object.entries(message.scores) as [Signal, number][])
    .map(([signal, score]) => ({ signal, score: round(score), text: phrases[signal] ?? signal }))
    .sort((one, other) => Math.abs(other.score) - Math.abs(one.score))
}

export const round = (score: number): number => Math.round(score * 1000) / 1000

function phrasesFor(
  { head, found, near }: FoundMessage,
  { cues }: Question,
): Partial<Record<Signal, string>> {
  const wanted = [
    ...(cues.asksWhen ? ['a time'] : []),
    ...(cues.asksHowMany ? ['a number'] : []),
    ...(cues.asksName ? ['a name'] : []),
    ...(cues.asksAdvice ? ['a preference'] : []),
  ]
  return {
    words: found.length > 0 ? `has ${quote(found)}` : 'has none of the words',
    neighbours:
      found.length > 0
        ? `has ${quote(found)} in it or near it`
        : `${quote(near.slice(0, 3))} in messages near it`,
    session: 'the same session mentions it',
    conversation: 'said in this conversation',
    meaning: 'close in meaning',
    speaker: speakerPhrase(head),
    time: `said on ${head.createdAt.toISOString().slice(0, 10)}`,
    answer:
      wanted.length > 0
        ? `has ${wanted.join(' or ')}, or answers a question`
        : 'answers a question with these words',
    substance: 'long enough to be useful',
    update: 'says what changed since then',
    recency: 'its topic came up recently',
    importance: 'marked or learned as important',
    reranked: 're-ranked with the question',
  }
}

function speakerPhrase(head: FoundMessage['head']): string {
  if (head.name !== undefined) return `said by ${head.name}`
  return isPerson(head) ? 'said by the user' : `said by the ${head.role}`
}
