import { MemoryError } from '../../domain/errors.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Intent, PageState, Query } from '../../domain/page.ts'
import type { ResolvedLimits } from '../../options/limit-options.ts'
import type { NewQuery } from '../../schemas/page.ts'
import { utf8Bytes } from '../../schemas/values.ts'
import type { PageFields, PageKey, PageStore } from '../../store/page-store.ts'
import type { WorkspaceDeps } from '../record.ts'
import type { AcceptedPageChanges } from './accept-page.ts'
import { acceptQuery } from './accept-query.ts'
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
    JSON.stringify([activeFile?.id, activeFile?.name, currentTopic, entities, preferences])
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
