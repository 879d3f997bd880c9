import { definedFields } from '../../domain/defined-fields.ts'
import { MemoryError } from '../../domain/errors.ts'
import { newId, queryId } from '../../domain/ids.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { ActiveFile, Intent, PageState, Query } from '../../domain/page.ts'
import type { ResolvedLimits } from '../../options/limit-options.ts'
import { check } from '../../schemas/check.ts'
import { type NewQuery, newQuery, type PageChanges, pageChanges } from '../../schemas/page.ts'
import { checkNotFuture, utf8Bytes } from '../../schemas/values.ts'
import type { AcceptedQuery, PageFields, PageKey, PageStore } from '../../store/page-store.ts'
import type { WorkspaceDeps } from '../record.ts'
import { classifyIntent } from './classify-intent.ts'

/** The state of a new page. */
export function emptyPage(now: Date): PageFields {
  return {
    activeFile: null,
    currentTopic: null,
    entities: {},
    preferences: {},
    createdAt: now,
    updatedAt: now,
  }
}

interface MergeRules {
  readonly limits: ResolvedLimits
  readonly now: Date
}

/** Applies changes to a page; returns the page itself if nothing changes. */
export function mergePage(
  page: PageState | undefined,
  changes: AcceptedPageChanges,
  { limits, now }: MergeRules,
): PageFields {
  const before = page ?? emptyPage(now)
  const merged = {
    activeFile: changes.activeFile === undefined ? before.activeFile : changes.activeFile,
    currentTopic: changes.currentTopic === undefined ? before.currentTopic : changes.currentTopic,
    entities: mergeKeys(before.entities, changes.entities),
    preferences: mergeKeys(before.preferences, changes.preferences),
  }
  if (page !== undefined && isSame(merged, page)) return page
  // Unchanged fields may exceed limits that were lowered since.
  if (changes.entities !== undefined) acceptSize(merged.entities, 'entities', limits)
  if (changes.preferences !== undefined) acceptSize(merged.preferences, 'preferences', limits)
  return { ...merged, createdAt: before.createdAt, updatedAt: now }
}

type Contents = Pick<PageState, 'activeFile' | 'currentTopic' | 'entities' | 'preferences'>

function isSame(one: Contents, other: Contents): boolean {
  const toText = ({ activeFile, currentTopic, entities, preferences }: Contents) =>
    JSON.stringify([
      activeFile?.id,
      activeFile?.name,
      activeFile?.metadata,
      currentTopic,
      entities,
      preferences,
    ])
  return toText(one) === toText(other)
}

function mergeKeys(before: JsonObject, changes: JsonObject | null | undefined): JsonObject {
  if (changes === undefined) return before
  if (changes === null) return {}
  const merged = new Map(Object.entries(before))
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) merged.delete(key)
    else merged.set(key, value)
  }
  return Object.fromEntries(merged)
}

/** Checks the merged object, since many small changes add up. */
function acceptSize(object: JsonObject, what: string, { pageKeys, pageBytes }: ResolvedLimits): void {
  const keys = Object.keys(object).length
  if (keys > pageKeys) {
    throw new MemoryError('too-large', `${what} would have ${keys} keys; the maximum is ${pageKeys}`, {
      hint: 'remove keys by setting them to null',
    })
  }
  const bytes = utf8Bytes(JSON.stringify(object))
  if (bytes <= pageBytes) return
  throw new MemoryError('too-large', `${what} would have ${bytes} bytes; the maximum is ${pageBytes}`, {
    hint: 'store large values elsewhere and reference them',
  })
}

/** Adds a query at the end of a page's history; resolves when it is durable. */
export async function addQuery(
  { store, limits, now }: WorkspaceDeps,
  key: PageKey,
  query: NewQuery,
): Promise<Query> {
  const moment = now()
  const checked = acceptQuery(query, { limits, now: moment })
  const intent = checked.intent ?? classifyIntent(checked, await lastIntent(store, key))
  const added = await store.addQueries({
    ...key,
    queries: [{ ...checked, intent }],
    newPage: emptyPage(moment),
  })
  return added.queries[0] as Query
}

async function lastIntent(store: PageStore, key: PageKey): Promise<Intent | undefined> {
  const [last] = await store.queries({ ...key, limit: 1, direction: 'backwards' })
  return last?.intent
}

interface AcceptedPageChanges extends Partial<Pick<PageState, 'activeFile' | 'currentTopic'>> {
  readonly entities?: JsonObject | null
  readonly preferences?: JsonObject | null
}

export function acceptPageChanges(changes: PageChanges, limits: ResolvedLimits): AcceptedPageChanges {
  const { activeFile, ...rest } = check(pageChanges, changes, { limits })
  return {
    ...(activeFile !== undefined && { activeFile: activeFile && toActiveFile(activeFile, limits) }),
    ...definedFields(rest),
  }
}

/** Fields that we don't know are metadata. */
function toActiveFile(
  { id, name, metadata, ...others }: NonNullable<PageChanges['activeFile']>,
  { metadataBytes }: ResolvedLimits,
): ActiveFile {
  const all: JsonObject = { ...metadata, ...(others as JsonObject) }
  const bytes = utf8Bytes(JSON.stringify(all))
  if (bytes > metadataBytes) {
    throw new MemoryError(
      'too-large',
      `the metadata of activeFile has ${bytes} bytes; the maximum is ${metadataBytes}`,
      { hint: 'store large values elsewhere and refer to them' },
    )
  }
  return {
    id,
    ...(typeof name === 'string' && { name }),
    ...(Object.keys(all).length > 0 && { metadata: all }),
  }
}

// Text is stored exactly or refused; results, which may be of any size, are stored up to the limit, with a note of
// how large they were.

interface QueryRules {
  readonly limits: ResolvedLimits
  readonly now: Date
}

/** The intent is missing where the application gave none. */
type CheckedQuery = Omit<AcceptedQuery, 'intent'> & { readonly intent?: Intent }

export function acceptQuery(query: NewQuery, { limits, now }: QueryRules): CheckedQuery {
  const { id, intent, createdAt, results = null, ...fields } = check(newQuery, query, { limits })
  const { query: text, sql = null, response = null, important = false } = fields
  const kept = results === null ? { results } : limitResults(results, limits.resultBytes)
  return {
    id: queryId(id ?? newId(now)),
    query: text,
    ...definedFields({ intent }),
    sql,
    response,
    ...kept,
    important,
    createdAt: createdAt === undefined ? now : checkNotFuture(createdAt, now, limits),
  }
}

type Kept = Pick<Query, 'results' | 'resultsTruncated'>

/**
 * Results that are too large keep their first rows, and a note says how many there were. Rows are a list, or
 * the largest list of an object such as `{ columns, rows }`. Of a text the beginning is kept; of anything else
 * too large nothing but the note.
 */
export function limitResults(results: JsonValue, maxBytes: number): Kept {
  const bytes = jsonBytes(results)
  if (bytes <= maxBytes) return { results }
  if (Array.isArray(results)) {
    return { results: firstRows(results, maxBytes), resultsTruncated: { rows: results.length, bytes } }
  }
  if (typeof results === 'string') {
    return { results: beginningOf(results, maxBytes), resultsTruncated: { bytes } }
  }
  return cutObject(results as JsonObject, { maxBytes, bytes })
}

const jsonBytes = (value: JsonValue): number => utf8Bytes(JSON.stringify(value))

function firstRows(rows: readonly JsonValue[], maxBytes: number): readonly JsonValue[] {
  let left = maxBytes - '[]'.length
  const end = rows.findIndex((row, i) => {
    left -= jsonBytes(row) + (i === 0 ? 0 : ','.length)
    return left < 0
  })
  return end === -1 ? rows : rows.slice(0, end)
}

function cutObject(
  results: JsonObject,
  { maxBytes, bytes }: { readonly maxBytes: number; readonly bytes: number },
): Kept {
  const lists = Object.entries(results).filter((entry): entry is [string, readonly JsonValue[]] =>
    Array.isArray(entry[1]),
  )
  const sizes = lists.map(([, list]) => jsonBytes(list))
  const [name, rows] = lists[sizes.indexOf(Math.max(...sizes))] ?? []
  const left = maxBytes - (bytes - Math.max(...sizes))
  if (name === undefined || rows === undefined || left < '[]'.length) {
    return { results: null, resultsTruncated: { bytes } }
  }
  const entries = Object.entries(results).map(([key, value]): [string, JsonValue] =>
    key === name ? [key, firstRows(rows, left)] : [key, value],
  )
  return { results: Object.fromEntries(entries), resultsTruncated: { rows: rows.length, bytes } }
}

function beginningOf(text: string, maxBytes: number): string {
  let left = maxBytes - '""'.length
  let end = 0
  for (const character of text) {
    left -= jsonBytes(character) - '""'.length
    if (left < 0) break
    end += character.length
  }
  return text.slice(0, end)
}
