import type { PageId, QueryId } from './ids.ts'
import type { JsonObject, JsonValue } from './json.ts'

/** The intent of a query: chat, data, or both. */
export const INTENTS = ['general_chat', 'data_query', 'hybrid'] as const
export type Intent = (typeof INTENTS)[number]

/** The document that the user is viewing. */
export interface ActiveFile {
  readonly id: string
  readonly name?: string
  /** Everything else that the application says about the file. */
  readonly metadata?: JsonObject
}

/** The state of an application's page: the open file, the current topic, the user's preferences. */
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

/** The original size of results that were truncated. */
export interface TruncatedResults {
  /** The number of rows; missing if the results were not rows. */
  readonly rows?: number
  /** Their size as JSON. */
  readonly bytes: number
}

/** One entry of a page's history: the question, what was done for it, and the outcome. */
export interface Query {
  readonly id: QueryId
  readonly pageId: PageId
  /** Grows with each query of the page. A gap is an erased query. */
  readonly position: number
  readonly query: string
  readonly intent: Intent
  readonly sql: string | null
  /** As given, or the first of them if they were too large. */
  readonly results: JsonValue
  /** Missing if the results are complete. */
  readonly resultsTruncated?: TruncatedResults
  readonly response: string | null
  readonly important: boolean
  readonly createdAt: Date
}

/** A longer answer would match everything it merely mentions. */
const RESPONSE_SEARCHED = 1000

/** The searchable text of a query: the question, its SQL, and the beginning of the response. */
export function searchableText({ query, sql, response }: Pick<Query, 'query' | 'sql' | 'response'>): string {
  return [query, sql ?? '', response?.slice(0, RESPONSE_SEARCHED) ?? ''].join('\n')
}
