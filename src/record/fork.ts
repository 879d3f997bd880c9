import type { Conversation } from '../domain/conversation.ts'
import { definedFields } from '../domain/defined-fields.ts'
import { MemoryError } from '../domain/errors.ts'
import { type ConversationId, conversationId, messageId, newId, type WorkspaceId } from '../domain/ids.ts'
import type { ConversationChanges } from '../schemas/conversation.ts'
import type { ConversationFields, ConversationKey, Store } from '../store/store.ts'
import { acceptChanges, acceptName } from './accept.ts'
import { makeTitle, TITLE_FROM } from './make-title.ts'
import type { WorkspaceDeps } from './record.ts'

export interface ForkOptions extends ConversationChanges {
  /** The id of the new conversation. @default generated */
  readonly id?: string
}

/** A new conversation with everything up to and including a message. */
export async function forkAt(
  deps: WorkspaceDeps,
  from: { readonly conversation: ConversationId; readonly messageId: string },
  { id, ...changes }: ForkOptions,
): Promise<Conversation> {
  const { store, workspace, limits, now } = deps
  const key: ConversationKey = { workspace, conversation: from.conversation }
  const [source, message] = await Promise.all([
    store.findConversation(key),
    store.findMessage(workspace, messageId(from.messageId)),
  ])
  if (source === undefined || message?.conversationId !== from.conversation) {
    throw new MemoryError('not-found', `"${from.conversation}" has no message "${from.messageId}"`, {
      hint: 'list the messages of the conversation to see their ids',
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
    fields: {
      ...inherited(source),
      ...(await titleFor(store, source, { workspace, position: message.position })),
      ...acceptChanges(changes, { limits, now: moment }),
    },
    now: moment,
    newId: () => messageId(newId(moment)),
  })
}

function inherited({ tags, isMemoryOn, documents, metadata }: Conversation): ConversationFields {
  return { tags, isMemoryOn, documents, metadata }
}

/** A title set by the user is copied; a generated one is generated again from the messages of the fork. */
async function titleFor(
  store: Store,
  { id, title, isTitleGiven }: Conversation,
  { workspace, position }: { workspace: WorkspaceId; position: number },
): Promise<ConversationFields> {
  if (isTitleGiven && title !== undefined) return { title, isTitleGiven }
  const key = { workspace, conversation: id }
  const made = makeTitle(await store.messages({ ...key, before: position + 1, limit: TITLE_FROM }))
  return definedFields({ title: made })
}
