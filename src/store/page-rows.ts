// Rows of pages and queries, and their conversion to domain objects.

import { definedFields } from '../domain/defined-fields.ts'
import { pageId, queryId } from '../domain/ids.ts'
import type { ActiveFile, Intent, PageState, Query } from '../domain/page.ts'
import type { PageFields } from './page-store.ts'
import type { Flag } from './rows.ts'

export interface PageRow {
  readonly number: number
  readonly workspace: number
  readonly id: string
  readonly active_file: string | null
  readonly active_file_name: string | null
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

function toActiveFile({ active_file: id, active_file_name: name }: PageRow): ActiveFile | null {
  if (id === null) return null
  return { id, ...definedFields({ name: name ?? undefined }) }
}

export function toPageColumns(fields: PageFields): Record<string, string | number | null> {
  return {
    active_file: fields.activeFile?.id ?? null,
    active_file_name: fields.activeFile?.name ?? null,
    current_topic: fields.currentTopic,
    entities: JSON.stringify(fields.entities),
    preferences: JSON.stringify(fields.preferences),
    created_at: fields.createdAt.getTime(),
    updated_at: fields.updatedAt.getTime(),
  }
}

export function toQuery(row: QueryRow, page: PageRow): Query {
  return {
    id: queryId(row.id),
    pageId: pageId(page.id),
    position: row.position,
    intent: row.intent as Intent,
    ...toWords(row),
    results: JSON.parse(row.results),
    ...(row.truncated !== null && { resultsTruncated: JSON.parse(row.truncated) }),
    important: Boolean(row.is_important),
    createdAt: new Date(row.created_at),
  }
}

export type WordColumns = Pick<QueryRow, 'query' | 'sql' | 'response'>
type QueryWords = Pick<Query, 'query' | 'sql' | 'response'>

export function toWords({ query, sql, response }: WordColumns): QueryWords {
  return { query: JSON.parse(query), sql: JSON.parse(sql), response: JSON.parse(response) }
}

export function toWordColumns({ query, sql, response }: QueryWords): WordColumns {
  return { query: JSON.stringify(query), sql: JSON.stringify(sql), response: JSON.stringify(response) }
}
