import type { PageId, QueryId } from './ids.ts'
import type { JsonObject, JsonValue } from './json.ts'

/** What a query asks for: talk, data, or both. */
export const INTENTS = ['general_chat', 'data_query', 'hybrid'] as const
export type Intent = (typeof INTENTS)[number]

/** The document that the user looks at. */
export interface ActiveFile {
  readonly id: string
  readonly name?: string
}

/** What an application knows of one of its pages: which file is open, what is spoken of, what the user prefers. */
export interface PageState {
  readonly pageId: PageId
  readonly activeFile: ActiveFile | null
  readonly currentTopic: string | null
  readonly entities: JsonObject
  readonly preferences: JsonObject
  readonly queryCount: number
  readonly createdAt: Date
  /** When the state last changed. */
  readonly updatedAt: Date
  /** When the state last changed or a query was last added. */
  readonly lastUsedAt: Date
}

/** What results had when they were given, where only a part of them was kept. */
export interface TruncatedResults {
  /** How many rows there were; missing where the results were not rows. */
  readonly rows?: number
  /** How large they were, as JSON. */
  readonly bytes: number
}

/** One entry of a page's history: what was asked, what was done for it, what came out. */
export interface Query {
  readonly id: QueryId
  readonly pageId: PageId
  /** Grows with each query of the page. A gap is a query that was erased. */
  readonly position: number
  readonly query: string
  readonly intent: Intent
  readonly sql: string | null
  /** As given, or the first of them where they were too large. */
  readonly results: JsonValue
  /** Missing where the results are whole. */
  readonly resultsTruncated?: TruncatedResults
  readonly response: string | null
  readonly important: boolean
  readonly createdAt: Date
}

/** A longer answer would be found by whatever it merely mentions. */
const RESPONSE_SEARCHED = 1000

/** The words by which a query is found: the question, its SQL, and how the response begins. */
export function searchableText({ query, sql, response }: Pick<Query, 'query' | 'sql' | 'response'>): string {
  return [query, sql ?? '', response?.slice(0, RESPONSE_SEARCHED) ?? ''].join('\n')
}
