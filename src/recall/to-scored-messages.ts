import type { MessageLocator } from '../domain/locator.ts'
import type { Reason } from '../domain/recall.ts'
import type { FoundMessage } from './find-messages.ts'
import type { TextJudge } from './kinds/weigh-text.ts'
import { passageFinder } from './passage-of.ts'
import type { Question } from './question/read-question.ts'
import { findSittings } from './rank/sittings.ts'
import { reasonsOf } from './reasons.ts'
import type { ScoredItem } from './scored-item.ts'

export interface MessageShowing {
  readonly question: Question
  readonly judge: TextJudge
  readonly ideal: number
  /** Messages that gave standing instructions. */
  readonly instructions: ReadonlySet<MessageLocator>
  readonly pauseMs: number
}

/** It has a reserved place, not a higher score. */
const STANDING: Reason = { signal: 'instruction', score: 0, text: 'a standing instruction' }

/** Messages as scored items, with the relevant passage of long ones. */
export function toFoundMessages(
  messages: readonly FoundMessage[],
  { question, judge, ideal, instructions, pauseMs }: MessageShowing,
): readonly ScoredItem[] {
  const sittings = findSittings(
    messages.map(({ head }) => head),
    pauseMs,
  )
  const people = namedAssistants(messages)
  return messages.map((message) => {
    const { head, place, text, score } = message
    const isInstruction = instructions.has(place) && isInstructionOfUser(message, people)
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

/** Conversations whose assistant has a name: people talking with each other, not a user instructing a model. */
function namedAssistants(messages: readonly FoundMessage[]): ReadonlySet<string> {
  const named = messages.filter(({ head }) => head.role === 'assistant' && head.name !== undefined)
  return new Set(named.map(({ head }) => head.conversationId))
}

const isInstructionOfUser = ({ head }: FoundMessage, people: ReadonlySet<string>): boolean =>
  head.role === 'user' && !people.has(head.conversationId)
