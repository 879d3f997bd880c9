// What Recollect itself knows of a message stands in its metadata under one key. Messages never change, so an answer
// that is given anew, or a question that is put in other words, is another message: its stamp says from which place on
// it stands in for what was said before. The record keeps all of it; a conversation as it is now is read without it.

import type { JsonObject, JsonValue } from './json.ts'
import type { Message } from './message.ts'

/** The key of a message's metadata that is ours. */
export const METADATA_KEY = 'recollect'

/** How an answer ended: whole, by a reader who had enough, or by a model that broke. */
export type AnswerEnding = 'complete' | 'stopped' | 'failed'

export interface RecollectMetadata {
  /** Missing where it is whole. */
  readonly ending?: Exclude<AnswerEnding, 'complete'>
  /** The name of the model that wrote it. */
  readonly model?: string
  /** Put together from what was recalled, by no model: nobody said it. */
  readonly isFromMemory?: true
  /** Of the context that it was written from. */
  readonly receiptId?: string
  /** It stands in for this message and for everything that was recorded between. */
  readonly replaces?: Replaced
}

export interface Replaced {
  /** Of the message that stood there first, however often something else took its place since. */
  readonly id: string
  /** From here on. Positions are the same in a fork, where ids are not. */
  readonly position: number
}

/** Metadata is anybody's: what is no stamp is read as none. */
export function recollectMetadataOf({ metadata }: Pick<Message, 'metadata'>): RecollectMetadata {
  const stamp = metadata?.[METADATA_KEY]
  if (!isObject(stamp)) return {}
  const { ending, model, isFromMemory, receiptId } = stamp
  const replaces = toReplaced(stamp['replaces'])
  return {
    ...((ending === 'stopped' || ending === 'failed') && { ending }),
    ...(typeof model === 'string' && { model }),
    ...(isFromMemory === true && { isFromMemory }),
    ...(typeof receiptId === 'string' && { receiptId }),
    ...(replaces && { replaces }),
  }
}

function toReplaced(value: JsonValue | undefined): Replaced | undefined {
  if (!isObject(value)) return undefined
  const { id, position } = value
  if (typeof id !== 'string' || typeof position !== 'number') return undefined
  return Number.isSafeInteger(position) && position >= 0 ? { id, position } : undefined
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Metadata with a stamp in it. */
export function withRecollectMetadata(
  metadata: JsonObject | undefined,
  stamp: RecollectMetadata,
): JsonObject {
  return { ...metadata, [METADATA_KEY]: stamp as unknown as JsonObject }
}

/** Somebody said it: it was not put together from what others said. */
export function isSaid(message: Pick<Message, 'metadata'>): boolean {
  return message.metadata === undefined || recollectMetadataOf(message).isFromMemory !== true
}

/** What stood first in the place that a message has now. */
export function originalOf(message: Pick<Message, 'id' | 'position' | 'metadata'>): Replaced {
  const { replaces } = recollectMetadataOf(message)
  const isEarlier = replaces !== undefined && replaces.position < message.position
  return isEarlier ? replaces : { id: message.id, position: message.position }
}

/** A stretch of a conversation, read from its end towards its beginning, parted into what still stands and what not. */
export class ReplacementFilter {
  #replacedFrom = Number.POSITIVE_INFINITY

  /** An earlier page than the last, in order. */
  part<M extends Pick<Message, 'metadata' | 'position'>>(
    page: readonly M[],
  ): { readonly current: readonly M[]; readonly replaced: readonly M[] } {
    const current: M[] = []
    const replaced: M[] = []
    for (const message of page.toReversed()) {
      if (message.position >= this.#replacedFrom) replaced.push(message)
      else current.push(message)
      // What a replaced message had replaced does not come back with it.
      const from =
        message.metadata === undefined ? undefined : recollectMetadataOf(message).replaces?.position
      if (from !== undefined && from < message.position)
        this.#replacedFrom = Math.min(this.#replacedFrom, from)
    }
    return { current: current.reverse(), replaced: replaced.reverse() }
  }
}

/** Messages of one conversation, in order, without those that others of them stand in for. */
export function withoutReplaced<M extends Pick<Message, 'metadata' | 'position'>>(
  messages: readonly M[],
): readonly M[] {
  const isPlain = messages.every(({ metadata }) => metadata === undefined)
  return isPlain ? messages : new ReplacementFilter().part(messages).current
}
