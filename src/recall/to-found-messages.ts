import type { MessageLocator } from '../domain/locator.ts'
import type { Reason } from '../domain/recall.ts'
import type { FoundMessage } from './find-messages.ts'
import type { Found } from './found.ts'
import type { TextJudge } from './kinds/weigh-text.ts'
import { passageFinder } from './passage-of.ts'
import type { Question } from './question/read-question.ts'
import { findSittings } from './rank/sittings.ts'
import { reasonsOf } from './reasons.ts'

export interface MessageShowing {
  readonly question: Question
  readonly judge: TextJudge
  readonly ideal: number
  /** Messages that give an order that stands. */
  readonly instructions: ReadonlySet<MessageLocator>
  readonly pauseMs: number
}

/** It has a seat, and no score for it. */
const STANDING: Reason = { signal: 'instruction', score: 0, text: 'an instruction that stands' }

/** Messages as they stand in an answer, with the passage that matters of long ones. */
export function toFoundMessages(
  messages: readonly FoundMessage[],
  { question, judge, ideal, instructions, pauseMs }: MessageShowing,
): readonly Found[] {
  const sittings = findSittings(
    messages.map(({ head }) => head),
    pauseMs,
  )
  const people = namedAssistants(messages)
  return messages.map((message) => {
    const { head, place, text, score } = message
    const isInstruction = instructions.has(place) && isOrder(message, people)
    return {
      kind: 'message',
      id: head.id,
      text,
      findPassage: passageFinder(text, judge.lookup, judge.weightOf),
      score: Math.min(1, Math.max(0, score / ideal)),
      similarity: message.similarity,
      why: [...(isInstruction ? [STANDING] : []), ...reasonsOf(message, question)],
      messageIds: [head.id],
      conversationId: head.conversationId,
      position: message.position,
      place,
      createdAt: head.createdAt,
      role: head.role,
      ...(head.name !== undefined && { source: head.name }),
      group: sittings.get(place),
      ...(isInstruction && { isInstruction }),
    }
  })
}

/** Conversations in which the other side has a name: people who talk with each other, and order nobody about. */
function namedAssistants(messages: readonly FoundMessage[]): ReadonlySet<string> {
  const named = messages.filter(({ head }) => head.role === 'assistant' && head.name !== undefined)
  return new Set(named.map(({ head }) => head.conversationId))
}

const isOrder = ({ head }: FoundMessage, people: ReadonlySet<string>): boolean =>
  head.role === 'user' && !people.has(head.conversationId)
