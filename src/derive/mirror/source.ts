import type { ConversationId, VectorKind } from '../../domain/ids.ts'

/** A text that is embedded when it is put. */
export interface TextItem {
  readonly id: string
  readonly text: string
  readonly memoryType: VectorKind
  readonly session?: ConversationId
  readonly chunkIndex?: number
}

/** A set of entries that are put, marked and removed together. */
export type Source = MessageSource | TextSource

interface SourceFields {
  readonly name: string
  /** Changes whenever any of its entries may have changed. */
  readonly mark: string
}

/** The messages of a conversation. Their vectors are in the store and are append-only while `made` stays the same. */
export interface MessageSource extends SourceFields {
  readonly kind: 'messages'
  readonly conversation: ConversationId
  readonly made: string
}

/** Texts without vectors in the store. They are embedded when they are put. */
export interface TextSource extends SourceFields {
  readonly kind: 'texts'
  readonly pages: () => AsyncIterable<readonly TextItem[]>
}

export const messagesMark = (made: string, cursor: number): string => `${made}/${cursor}`

export function readMessagesMark(mark: string): { readonly made: string; readonly cursor: number } {
  const slash = mark.lastIndexOf('/')
  return { made: mark.slice(0, slash), cursor: Number(mark.slice(slash + 1)) }
}
