// Message in → stored. `record` resolves when the messages are durable. No model and no network call is involved,
// so neither can make it fail. A new conversation gets its title from the first message, in the same transaction.

import { definedFields } from '../domain/defined-fields.ts'
import { MemoryError } from '../domain/errors.ts'
import type { ConversationId, WorkspaceId } from '../domain/ids.ts'
import type { Tokenizer } from '../model/models.ts'
import type { ResolvedLimits } from '../options/limit-options.ts'
import type { ResolvedRag } from '../options/recall-options.ts'
import type { NewMessage } from '../schemas/message.ts'
import type { AppendResult, Store } from '../store/store.ts'
import { acceptName } from './accept.ts'
import { acceptMessage } from './accept-message.ts'
import { makeTitle } from './make-title.ts'

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
