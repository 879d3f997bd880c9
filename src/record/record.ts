// Message in → stored. `record` resolves when the messages are durable, and nothing that could fail for
// other reasons stands before that: no model, no network. What a conversation is called comes with its
// first words, in the same transaction.

import { definedFields } from '../domain/defined-fields.ts'
import { MemoryError } from '../domain/errors.ts'
import type { ConversationId, WorkspaceId } from '../domain/ids.ts'
import type { NewMessage } from '../domain/message.ts'
import type { Tokenizer } from '../model/tokenizer.ts'
import type { ResolvedLimits } from '../options/limit-options.ts'
import type { ResolvedRag } from '../options/recall-options.ts'
import type { AppendResult, Store } from '../store/store.ts'
import { acceptName } from './accept-id.ts'
import { acceptMessage } from './accept-message.ts'
import { makeTitle } from './make-title.ts'

/** What recording needs. */
export interface WorkspaceDeps {
  readonly store: Store
  readonly workspace: WorkspaceId
  readonly limits: ResolvedLimits
  /** How documents are cut. */
  readonly rag: Pick<ResolvedRag, 'chunkSize' | 'chunkOverlap'>
  readonly loadTokenizer: () => Promise<Tokenizer>
  readonly now: () => Date
}

export interface RecordOptions {
  /** Repeating the call with the same key returns the first result and writes nothing. */
  readonly key?: string
  /** Resolves when the messages are durable; topics and facts are worked out right after. @default false */
  readonly isDerivedLater?: boolean
}

interface RecordRequest extends RecordOptions {
  readonly conversation: ConversationId
  readonly messages: readonly NewMessage[]
}

export async function record(recorder: WorkspaceDeps, request: RecordRequest): Promise<AppendResult> {
  const { store, workspace, limits, now } = recorder
  acceptBatch(request.messages, limits)
  const appendKey =
    request.key === undefined
      ? undefined
      : acceptName(request.key, { what: 'a key', most: limits.idCharacters })
  const door = { limits, tokenizer: await recorder.loadTokenizer(), now: now() }
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
  if (messages.length === 0) throw new MemoryError('invalid-input', 'there is no message to record')
  if (messages.length <= batchMessages) return
  throw new MemoryError('too-large', `${messages.length} messages at once; the most is ${batchMessages}`, {
    hint: 'record them in several calls, or raise the option limits.batchMessages',
  })
}

/** Ids that are made at the door differ from all others. */
function acceptIds(messages: readonly NewMessage[]): void {
  const seen = new Set<string>()
  for (const { id } of messages) {
    if (id === undefined) continue
    if (seen.has(id)) throw new MemoryError('conflict', `the id "${id}" stands twice in one call`)
    seen.add(id)
  }
}
