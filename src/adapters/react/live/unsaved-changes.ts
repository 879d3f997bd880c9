// Keeps unsaved changes in the browser's storage, so that they survive closing the page. Each tab writes to
// its own key, so that tabs do not overwrite each other; a newly opened page takes over all stored changes.
// If the other tab is still open, it saves them as well: the changes are idempotent.

import type { PageChanges } from '../../../index.ts'
import { findStorage, randomId } from '../browser.ts'
import { addChanges } from './page-changes.ts'

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
