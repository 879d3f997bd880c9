import type { SearchTerm } from '../../domain/search.ts'
import type { DocumentRow } from '../document-rows.ts'
import type { NewChunk, OnChunks } from '../document-store.ts'
import type { PackedText } from '../document-text.ts'
import type { ConversationRow } from '../rows.ts'

/** What each engine does in its own way, for work that both share. */
export interface Engine {
  /** Updates the full-text index of titles and tags: removes the words of one row, adds those of the other. */
  indexConversation(change: { readonly before?: ConversationRow; readonly after?: ConversationRow }): void
  writeDocumentText(document: DocumentRow, packed: PackedText): void
  /** Writes chunks and adds their words to the full-text index. */
  writeChunks(document: DocumentRow, chunks: WrittenChunks): void
  /** Removes all chunks of a document and their words. */
  dropChunks(document: DocumentRow): void
  /** A condition on conversations `c` whose title or tags match; `$n` is the parameter for its value. */
  findConversations(workspace: number, terms: readonly SearchTerm[]): TermCondition
}

export interface WrittenChunks {
  readonly chunks: readonly NewChunk[]
  readonly onChunks?: OnChunks | undefined
}

export interface TermCondition {
  readonly sql: (name: string) => string
  readonly value: string | readonly number[]
}
