// Message in → stored. `record` resolves when the messages are durable. No model and no network call is involved,
// so neither can make it fail. A new conversation gets its title from the first message, in the same transaction.

import type { Conversation } from '../domain/conversation.ts'
import { definedFields } from '../domain/defined-fields.ts'
import { MemoryError } from '../domain/errors.ts'
import { type ConversationId, conversationId, messageId, newId, type WorkspaceId } from '../domain/ids.ts'
import type { Tokenizer } from '../model/models.ts'
import type { ResolvedLimits } from '../options/limit-options.ts'
import type { ResolvedRag } from '../options/recall-options.ts'
import type { ConversationChanges } from '../schemas/conversation.ts'
import type { NewMessage } from '../schemas/message.ts'
import type { AppendResult, ConversationFields, ConversationKey, Store } from '../store/store.ts'
import { acceptChanges, acceptName } from './accept.ts'
import { acceptMessage } from './accept-message.ts'
import { makeTitle, TITLE_FROM } from './make-title.ts'

/** What every operation on a workspace needs. */
export interface WorkspaceDeps {
  readonly store: Store
  readonly workspace: WorkspaceId
  readonly limits: ResolvedLimits
  /** How documents are split into chunks. */
  readonly rag: Pick<ResolvedRag, 'chunkSize' | 'chunkOverlap'>
  readonly loadTokenizer: () => Promise<Tokenizer>
  readonly now: () => Date
}

export interface RecordOptions {
  /** Repeating the call with the same key returns the first result and writes nothing. */
  readonly key?: string
  /** `background` resolves as soon as the messages are durable; topics and facts follow. @default "now" */
  readonly derive?: 'now' | 'background'
}

interface RecordRequest extends RecordOptions {
  readonly conversation: ConversationId
  readonly messages: readonly NewMessage[]
}

export async function record(deps: WorkspaceDeps, request: RecordRequest): Promise<AppendResult> {
  const { store, workspace, limits, now } = deps
  acceptBatch(request.messages, limits)
  const appendKey =
    request.key === undefined
      ? undefined
      : acceptName(request.key, { what: 'a key', most: limits.idCharacters })
  const door = { limits, tokenizer: await deps.loadTokenizer(), now: now() }
  const messages = request.messages.map((message) => acceptMessage(message, door))
  acceptIds(request.messages)
  const key = { workspace, conversation: request.conversation }
  return store.append({
    ...key,
    messages,
    ...definedFields({ appendKey }),
    now: door.now,
    suggestTitle: makeTitle,
  })
}

function acceptBatch(messages: readonly NewMessage[], { batchMessages }: ResolvedLimits): void {
  if (messages.length === 0) throw new MemoryError('invalid-input', 'no messages to record')
  if (messages.length <= batchMessages) return
  throw new MemoryError(
    'too-large',
    `${messages.length} messages in one batch; the maximum is ${batchMessages}`,
    {
      hint: 'record them in several calls, or raise the option limits.batchMessages',
    },
  )
}

/** Generated ids are unique; only ids given by the caller can repeat. */
function acceptIds(messages: readonly NewMessage[]): void {
  const seen = new Set<string>()
  for (const { id } of messages) {
    if (id === undefined) continue
    if (seen.has(id)) throw new MemoryError('conflict', `duplicate message id "${id}" in one batch`)
    seen.add(id)
  }
}

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
