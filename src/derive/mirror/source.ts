import type { ConversationId, VectorKind } from '../../domain/ids.ts'

/** Something that a vector is made of when it is put. */
export interface TextItem {
  readonly id: string
  readonly text: string
  readonly memoryType: VectorKind
  readonly session?: ConversationId
  readonly chunkIndex?: number
}

/** What is put, marked and removed together. */
export type Source = MessageSource | TextSource

interface SourceFields {
  readonly name: string
  /** Another one whenever something of it may have changed. */
  readonly mark: string
}

/** The messages of a conversation: their vectors are in the store, and only ever added to while `made` is the same. */
export interface MessageSource extends SourceFields {
  readonly kind: 'messages'
  readonly conversation: ConversationId
  readonly made: string
}

/** Texts without vectors in the store: they are made when they are put. */
export interface TextSource extends SourceFields {
  readonly kind: 'texts'
  readonly pages: () => AsyncIterable<readonly TextItem[]>
}

export const messagesMark = (made: string, cursor: number): string => `${made}/${cursor}`

export function readMessagesMark(mark: string): { readonly made: string; readonly cursor: number } {
  const slash = mark.lastIndexOf('/')
  return { made: mark.slice(0, slash), cursor: Number(mark.slice(slash + 1)) }
}
