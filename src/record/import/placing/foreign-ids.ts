import { Digest } from '../../../domain/digest.ts'
import { type ConversationId, conversationId, type MessageId, messageId } from '../../../domain/ids.ts'
import type { ResolvedLimits } from '../../../options/limit-options.ts'
import type { ImportFormat } from '../imported.ts'

/** What would not pass the door becomes a digest of itself: ids must be the same in every run. */
function toId(text: string, { idCharacters }: ResolvedLimits): string {
  const isFine = text.length <= idCharacters && text.isWellFormed() && !/\p{Cc}/u.test(text)
  return isFine ? text : `${text.slice(0, 20).replaceAll(/[^\w-]/g, '_')}.${new Digest().add(text)}`
}

/** The id here of a conversation of another program. */
export function toConversationId(format: ImportFormat, id: string, limits: ResolvedLimits): ConversationId {
  return conversationId(toId(`${format}-${id}`, limits))
}

/** Other programs have the same message in several conversations, which are of no concern to each other. */
export function toMessageId(conversation: ConversationId, id: string, limits: ResolvedLimits): MessageId {
  return messageId(toId(`${conversation}.${id}`, limits))
}

/** The conversation that a branch becomes; named by its first message. */
export function toForkId(conversation: ConversationId, id: string, limits: ResolvedLimits): ConversationId {
  return conversationId(toId(`${conversation}.${id}`, limits))
}
