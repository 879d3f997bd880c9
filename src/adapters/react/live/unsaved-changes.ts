// Changes that the server does not have yet outlive the page in the browser's storage. Each tab writes under a key
// of its own, so that tabs do not overwrite each other; a page that is opened takes over whatever lies there. A tab
// that is still open saves its changes as well: made twice, they mean the same.

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

  /** What earlier pages left, oldest first. It is this one's from now on. */
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

  /** Replaces what was kept for this page. */
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
    // Storage is anybody's: what is not ours is nothing to save.
    return { at: 0, waiting: [] }
  }
}

function write(storage: ReturnType<typeof findStorage>, key: string, text: string): void {
  try {
    storage?.setItem(key, text)
  } catch {
    // Full: the changes are still saved to the server, they only would not outlive a reload before that.
  }
}
