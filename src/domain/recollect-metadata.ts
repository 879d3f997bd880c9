// Recollect's own data about a message is stored in its metadata under one key. Messages never change, so a
// regenerated answer or an edited question is another message: its metadata names the position from which it
// replaces what was said before. The record keeps everything; reading the current conversation skips replaced
// messages.

import type { JsonObject, JsonValue } from './json.ts'
import type { Message } from './message.ts'

/** Our key in a message's metadata. */
export const METADATA_KEY = 'recollect'

/** How an answer ended: complete, stopped by the user, or failed in the model. */
export type AnswerEnding = 'complete' | 'stopped' | 'failed'

export interface RecollectMetadata {
  /** Missing if it is complete. */
  readonly ending?: Exclude<AnswerEnding, 'complete'>
  /** The name of the model that wrote it. */
  readonly model?: string
  /** Composed from recalled messages without a model: nobody said it. */
  readonly isFromMemory?: true
  /** The receipt of the context that it was generated from. */
  readonly receiptId?: string
  /** It replaces this message and everything recorded in between. */
  readonly replaces?: Replaced
}

export interface Replaced {
  /** The id of the original message, however often it was replaced since. */
  readonly id: string
  /** Replaces from here on. Positions are the same in a fork; ids are not. */
  readonly position: number
}

/** Applications can write metadata too: anything invalid is ignored. */
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

/** Adds Recollect metadata to a message's metadata. */
export function withRecollectMetadata(
  metadata: JsonObject | undefined,
  stamp: RecollectMetadata,
): JsonObject {
  return { ...metadata, [METADATA_KEY]: stamp as unknown as JsonObject }
}

/** Whether somebody said it, rather than it being composed from other messages. */
export function isSaid(message: Pick<Message, 'metadata'>): boolean {
  return message.metadata === undefined || recollectMetadataOf(message).isFromMemory !== true
}

/** The original message at the position that a message replaces. */
export function originalOf(message: Pick<Message, 'id' | 'position' | 'metadata'>): Replaced {
  const { replaces } = recollectMetadataOf(message)
  const isEarlier = replaces !== undefined && replaces.position < message.position
  return isEarlier ? replaces : { id: message.id, position: message.position }
}

/**
 * Reads a range of a conversation from its end towards its beginning, and separates current from replaced
 * messages.
 */
export class ReplacementFilter {
  #replacedFrom = Number.POSITIVE_INFINITY

  /** Filters the next earlier page, in order. */
  part<M extends Pick<Message, 'metadata' | 'position'>>(
    page: readonly M[],
  ): { readonly current: readonly M[]; readonly replaced: readonly M[] } {
    const current: M[] = []
    const replaced: M[] = []
    for (const message of page.toReversed()) {
      if (message.position >= this.#replacedFrom) replaced.push(message)
      else current.push(message)
      // Messages that a replaced message had replaced stay replaced.
      const from =
        message.metadata === undefined ? undefined : recollectMetadataOf(message).replaces?.position
      if (from !== undefined && from < message.position)
        this.#replacedFrom = Math.min(this.#replacedFrom, from)
    }
    return { current: current.reverse(), replaced: replaced.reverse() }
  }
}

/** Messages of one conversation, in order, without those that others of them replace. */
export function withoutReplaced<M extends Pick<Message, 'metadata' | 'position'>>(
  messages: readonly M[],
): readonly M[] {
  const isPlain = messages.every(({ metadata }) => metadata === undefined)
  return isPlain ? messages : new ReplacementFilter().part(messages).current
}
