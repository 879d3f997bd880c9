import { MemoryError } from '../../domain/errors.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { PageChanges, PageState } from '../../domain/page.ts'
import type { ResolvedLimits } from '../../options/limit-options.ts'
import type { PageFields } from '../../store/page-store.ts'
import { utf8Bytes } from '../accept-json.ts'

/** What a page begins with. */
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

/** The page with the changes in it; the page itself where they change nothing. */
export function mergePage(
  page: PageState | undefined,
  changes: PageChanges,
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
  // What is not touched may be too large: limits can be lowered.
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

/** Asked of the whole, since many small changes make a large page. */
function acceptSize(object: JsonObject, what: string, { pageKeys, pageBytes }: ResolvedLimits): void {
  const keys = Object.keys(object).length
  if (keys > pageKeys) {
    throw new MemoryError('too-large', `${what} would have ${keys} keys; the most is ${pageKeys}`, {
      hint: 'take keys away by setting them to null, or raise the option limits.pageKeys',
    })
  }
  const bytes = utf8Bytes(JSON.stringify(object))
  if (bytes <= pageBytes) return
  throw new MemoryError('too-large', `${what} would have ${bytes} bytes; the most is ${pageBytes}`, {
    hint: 'keep large things elsewhere and refer to them, or raise the option limits.pageBytes',
  })
}
