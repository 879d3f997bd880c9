// Changes to the state of a page, as the server merges them: a missing field stays, null clears it; entities
// and preferences are merged key by key.

import type { JsonObject, PageChanges, PageState } from '../../../index.ts'
import type { Wire } from '../client/wire.ts'

export type PageContext = Wire<PageState>

const MERGED = ['entities', 'preferences'] as const

/** The state after a change. */
export function applyChanges(context: PageContext, changes: PageChanges): PageContext {
  const { activeFile = context.activeFile, currentTopic = context.currentTopic } = changes
  return {
    ...context,
    activeFile,
    currentTopic,
    entities: mergeKeys(context.entities, changes.entities),
    preferences: mergeKeys(context.preferences, changes.preferences),
  } as PageContext
}

function mergeKeys(before: JsonObject, changes: JsonObject | null | undefined): JsonObject {
  if (changes === undefined) return before
  if (changes === null) return {}
  const after = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null)
  return Object.fromEntries(after)
}

/**
 * Adds a change to the pending ones. Keeps the list short: merges two changes whenever the effect is the
 * same.
 */
export function addChanges(waiting: readonly PageChanges[], changes: PageChanges): readonly PageChanges[] {
  const last = waiting.at(-1)
  if (last === undefined || !areJoinable(last, changes)) return [...waiting, changes]
  return [...waiting.slice(0, -1), joinChanges(last, changes)]
}

/** Clearing all keys and then setting some cannot be expressed in one change. */
const areJoinable = (earlier: PageChanges, later: PageChanges): boolean =>
  MERGED.every((name) => earlier[name] !== null || later[name] === undefined || later[name] === null)

function joinChanges(earlier: PageChanges, later: PageChanges): PageChanges {
  const joined = MERGED.flatMap((name) => {
    const [before, after] = [earlier[name], later[name]]
    return before && after ? [[name, { ...before, ...after }]] : []
  })
  return { ...earlier, ...later, ...Object.fromEntries(joined) }
}
