// Rows of pages and queries, and their conversion to domain objects.

import { pageId, queryId } from '../domain/ids.ts'
import type { JsonValue } from '../domain/json.ts'
import type { ActiveFile, Intent, PageState, Query } from '../domain/page.ts'
import { Json } from './json-parameter.ts'
import type { PageFields } from './page-store.ts'
import type { Flag } from './rows.ts'

export interface PageRow {
  readonly number: number
  readonly workspace: number
  readonly id: string
  readonly active_file: string | null
  readonly active_file_name: string | null
  readonly active_file_metadata: string | null
  readonly current_topic: string | null
  readonly entities: string
  readonly preferences: string
  readonly query_count: number
  readonly created_at: number
  readonly updated_at: number
  readonly last_used_at: number
}

export interface QueryRow {
  readonly number: number
  readonly workspace: number
  readonly page: number
  readonly position: number
  readonly id: string
  readonly intent: string
  readonly is_important: Flag
  readonly created_at: number
  readonly query: string
  readonly sql: string
  readonly response: string
  readonly truncated: string | null
  readonly results: string
  /** On PostgreSQL: the results as they were given, if `jsonb` changes the order of keys. */
  readonly results_exact?: string | null
}

export function toPageState(row: PageRow): PageState {
  return {
    pageId: pageId(row.id),
    activeFile: toActiveFile(row),
    currentTopic: row.current_topic,
    entities: JSON.parse(row.entities),
    preferences: JSON.parse(row.preferences),
    queryCount: row.query_count,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
    lastUsedAt: new Date(row.last_used_at),
  }
}

function toActiveFile(row: PageRow): ActiveFile | null {
  const { active_file: id, active_file_name: name, active_file_metadata: metadata } = row
  if (id === null) return null
  return { id, ...(name !== null && { name }), ...(metadata !== null && { metadata: JSON.parse(metadata) }) }
}

export function toPageColumns(fields: PageFields): Record<string, string | Date | Json | null> {
  return {
    active_file: fields.activeFile?.id ?? null,
    active_file_name: fields.activeFile?.name ?? null,
    active_file_metadata: toJson(fields.activeFile?.metadata),
    current_topic: fields.currentTopic,
    entities: new Json(fields.entities),
    preferences: new Json(fields.preferences),
    created_at: fields.createdAt,
    updated_at: fields.updatedAt,
  }
}

/** NULL for undefined. */
export const toJson = (value: unknown): Json | null => (value === undefined ? null : new Json(value))

export function toQuery(row: QueryRow, page: PageRow): Query {
  return {
    id: queryId(row.id),
    pageId: pageId(page.id),
    position: row.position,
    intent: row.intent as Intent,
    ...toWords(row),
    results: parseResults(row),
    ...(row.truncated !== null && { resultsTruncated: JSON.parse(row.truncated) }),
    important: Boolean(row.is_important),
    createdAt: new Date(row.created_at),
  }
}

export const parseResults = (row: Pick<QueryRow, 'results' | 'results_exact'>): JsonValue =>
  JSON.parse(row.results_exact ?? row.results)

export type WordColumns = Pick<QueryRow, 'query' | 'sql' | 'response'>
type QueryWords = Pick<Query, 'query' | 'sql' | 'response'>

export function toWords({ query, sql, response }: WordColumns): QueryWords {
  return { query: JSON.parse(query), sql: JSON.parse(sql), response: JSON.parse(response) }
}
