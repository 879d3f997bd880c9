// Message in → stored. `record` resolves when the messages are durable, and nothing that could fail for
// other reasons stands before that: no model, no network. What a conversation is called comes with its
// first words, in the same transaction.

import type { ConversationId, WorkspaceId } from '../domain/ids.ts'
import type { NewMessage } from '../domain/message.ts'
import { MemoryError } from '../errors.ts'
import { given } from '../given.ts'
import type { Tokenizer } from '../model/tokenizer.ts'
import type { ResolvedLimits } from '../options.ts'
import type { AcceptedMessage, AppendResult, ConversationKey, Store } from '../store/store.ts'
import { acceptName } from './accept-id.ts'
import { acceptMessage } from './accept-message.ts'
import { makeTitle } from './make-title.ts'

/** What recording needs. */
export interface Recorder {
  readonly store: Store
  readonly workspace: WorkspaceId
  readonly limits: ResolvedLimits
  readonly loadTokenizer: () => Promise<Tokenizer>
  readonly now: () => Date
}

export interface RecordOptions {
  /** Repeating the call with the same key returns the first result and writes nothing. */
  readonly key?: string
}

interface RecordRequest extends RecordOptions {
  readonly conversation: ConversationId
  readonly messages: readonly NewMessage[]
}

export async function record(recorder: Recorder, request: RecordRequest): Promise<AppendResult> {
  const { limits } = recorder
  const { batchMessages, idCharacters } = limits
  if (request.messages.length === 0) throw new MemoryError('invalid-input', 'there is no message to record')
  if (request.messages.length > batchMessages) {
    throw new MemoryError(
      'too-large',
      `${request.messages.length} messages at once; the most is ${batchMessages}`,
      {
        hint: 'record them in several calls, or raise the option limits.batchMessages',
      },
    )
  }
  const appendKey =
    request.key === undefined ? undefined : acceptName(request.key, { what: 'a key', most: idCharacters })
  const door = { limits, tokenizer: await recorder.loadTokenizer(), now: recorder.now() }
  const accepted = request.messages.map((message) => acceptMessage(message, door))
  acceptIds(accepted)
  return append(
    recorder,
    { workspace: recorder.workspace, conversation: request.conversation },
    {
      messages: appendKey === undefined ? accepted : accepted.map((message) => ({ ...message, appendKey })),
      ...given({ appendKey }),
    },
  )
}

function acceptIds(messages: readonly AcceptedMessage[]): void {
  const seen = new Set<string>()
  for (const { id } of messages) {
    if (seen.has(id)) throw new MemoryError('conflict', `the id "${id}" stands twice in one call`)
    seen.add(id)
  }
}

/** Stores messages that passed the door. */
export function append(
  { store, now }: Pick<Recorder, 'store' | 'now'>,
  key: ConversationKey,
  batch: { readonly messages: readonly AcceptedMessage[]; readonly appendKey?: string },
): Promise<AppendResult> {
  return store.append({ ...key, ...batch, now: now(), suggestTitle: makeTitle })
}
