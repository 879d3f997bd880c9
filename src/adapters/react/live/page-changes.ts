// Changes to the state of a page, as the server merges them: a missing field stays, null clears it; entities
// and preferences are merged key by key.

import type { JsonObject, PageChanges, PageState } from '../../../index.ts'
import type { Wire } from '../../../schemas/wire.ts'
import { findStorage, randomId } from '../browser.ts'

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

// Keeps unsaved changes in the browser's storage, so that they survive closing the page. Each tab writes to
// its own key, so that tabs do not overwrite each other; a newly opened page takes over all stored changes.
// If the other tab is still open, it saves them as well: the changes are idempotent.

export class UnsavedChanges {
  readonly #prefix: string
  readonly #key: string

  constructor(clientName: string, pageId: string) {
    this.#prefix = `recollect unsaved ${clientName} ${pageId} `
    this.#key = this.#prefix + randomId()
  }

  /** Takes over the changes of earlier pages, oldest first. */
  takeOver(): readonly PageChanges[] {
    const storage = findStorage()
    if (storage === undefined) return []
    const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
    const left = keys
      .filter((key) => key.startsWith(this.#prefix))
      .map((key) => ({ key, ...parseLeft(storage.getItem(key)) }))
      .sort((one, other) => one.at - other.at)
    const changes = left.flatMap(({ waiting }) => waiting).reduce(addChanges, [])
    this.keep(changes)
    for (const { key } of left) if (key !== this.#key) storage.removeItem(key)
    return changes
  }

  /** Replaces the stored changes of this page. */
  keep(waiting: readonly PageChanges[]): void {
    const storage = findStorage()
    if (waiting.length === 0) storage?.removeItem(this.#key)
    else write(storage, this.#key, JSON.stringify({ at: Date.now(), waiting } satisfies Left))
  }
}

interface Left {
  readonly at: number
  readonly waiting: readonly PageChanges[]
}

function parseLeft(text: string | null): Left {
  try {
    const left = JSON.parse(text ?? '') as Partial<Left>
    return { at: Number(left.at), waiting: Array.isArray(left.waiting) ? left.waiting : [] }
  } catch {
    // Other code can write to storage: ignore what we did not write.
    return { at: 0, waiting: [] }
  }
}

function write(storage: ReturnType<typeof findStorage>, key: string, text: string): void {
  try {
    storage?.setItem(key, text)
  } catch {
    // Storage is full: the changes are still sent to the server, but would not survive a reload before that.
  }
}
