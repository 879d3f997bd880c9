import type { Conversation, ConversationChanges } from '../domain/conversation.ts'
import { type ConversationId, conversationId, messageId, newId } from '../domain/ids.ts'
import { MemoryError } from '../errors.ts'
import type { ConversationFields, ConversationKey } from '../store/store.ts'
import { acceptChanges } from './accept-conversation.ts'
import { acceptName } from './accept-id.ts'
import type { Recorder } from './record.ts'

export interface ForkOptions extends ConversationChanges {
  /** The id of the new conversation. @default made */
  readonly id?: string
}

/** A new conversation with everything up to and including a message. */
export async function forkAt(
  recorder: Recorder,
  from: { readonly conversation: ConversationId; readonly messageId: string },
  { id, ...changes }: ForkOptions,
): Promise<Conversation> {
  const { store, workspace, limits, now } = recorder
  const key: ConversationKey = { workspace, conversation: from.conversation }
  const [source, message] = await Promise.all([
    store.findConversation(key),
    store.findMessage(workspace, messageId(from.messageId)),
  ])
  if (source === undefined || message?.conversationId !== from.conversation) {
    throw new MemoryError('not-found', `"${from.conversation}" has no message "${from.messageId}"`, {
      hint: 'read the messages of the conversation to see their ids',
    })
  }
  const moment = now()
  const into =
    id === undefined
      ? newId(moment)
      : acceptName(id, { what: 'a conversation id', most: limits.idCharacters })
  return store.fork({
    ...key,
    at: message.position,
    into: conversationId(into),
    fields: { ...inherited(source), ...acceptChanges(changes, { limits, now: moment }) },
    now: moment,
    newId: () => messageId(newId(moment)),
  })
}

function inherited({
  title,
  isTitleGiven,
  tags,
  isMemoryOn,
  documents,
  metadata,
}: Conversation): ConversationFields {
  return { ...(title !== undefined && { title, isTitleGiven }), tags, isMemoryOn, documents, metadata }
}
