import type { SearchTerm } from '../../domain/search.ts'
import type { DocumentRow } from '../document-rows.ts'
import type { NewChunk, OnChunks } from '../document-store.ts'
import type { PackedText } from '../document-text.ts'
import type { PageRow, QueryRow } from '../page-rows.ts'
import type { ConversationRow, MessageRow } from '../rows.ts'

/** A message to be erased. */
export interface ErasedCopy extends MessageRow {
  readonly workspace: number
}

/** What each engine does in its own way, for work that both share. */
export interface Engine {
  /** Updates the full-text index of titles and tags: removes the words of one row, adds those of the other. */
  indexConversation(change: { readonly before?: ConversationRow; readonly after?: ConversationRow }): void
  writeDocumentText(document: DocumentRow, packed: PackedText): void
  /** Writes chunks and adds their words to the full-text index. */
  writeChunks(document: DocumentRow, chunks: WrittenChunks): void
  /** Removes all chunks of a document and their words. */
  dropChunks(document: DocumentRow): void
  /** Fills in the content of compressed messages. */
  withContents(workspace: number, rows: readonly ErasedCopy[]): readonly ErasedCopy[]
  /** Rewrites the block of a compressed message without its content. */
  takeOutOfBlock(message: ErasedCopy): void
  /** How many rows will be removed, before any is. */
  expectRemovals(removals: Removals): void
  removeMessageWords(message: ErasedCopy): void
  /** Of all messages. */
  removeConversationWords(conversation: ConversationRow): void
  /** Of all queries. */
  removePageWords(page: PageRow): void
  removeQueryWords(query: QueryRow): void
  removeChunkWords(document: DocumentRow): void
  /** Deletes everything in the workspace at once; false if the engine cannot. */
  deleteWorkspace(workspace: number): boolean
  /** A condition on conversations `c` whose title or tags match; `$n` is the parameter for its value. */
  findConversations(workspace: number, terms: readonly SearchTerm[]): TermCondition
}

export interface Removals {
  readonly messages: number
  readonly queries: number
  readonly chunks: number
}

export interface WrittenChunks {
  readonly chunks: readonly NewChunk[]
  readonly onChunks?: OnChunks | undefined
}

export interface TermCondition {
  readonly sql: (name: string) => string
  readonly value: string | readonly number[]
}
