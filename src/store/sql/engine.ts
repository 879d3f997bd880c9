import type { SearchTerm } from '../../domain/search.ts'
import type { ConversationRow } from '../rows.ts'

/** What each engine does in its own way, for work that both share. */
export interface Engine {
  /** Updates the full-text index of titles and tags: removes the words of one row, adds those of the other. */
  indexConversation(change: { readonly before?: ConversationRow; readonly after?: ConversationRow }): void
  /** A condition on conversations `c` whose title or tags match; `$n` is the parameter for its value. */
  findConversations(workspace: number, terms: readonly SearchTerm[]): TermCondition
}

export interface TermCondition {
  readonly sql: (name: string) => string
  readonly value: string | readonly number[]
}
