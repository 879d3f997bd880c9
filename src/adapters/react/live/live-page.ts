// The state of a page as components see it: what the server has, and on top of it the changes it does not have yet.
//
// - A change shows at once, lies in the browser's storage until the server has it, and goes out when no other came
//   for a moment, or when the page goes away.
// - What the server refuses is taken back, and `error` says why. What does not reach it stays, and is sent again
//   until it does.
// - Tabs tell each other what the server has.

import type { PageChanges } from '../../../index.ts'
import { onPageHide, onReturn } from '../browser.ts'
import type { RecollectClient } from '../client/create-client.ts'
import { type RequestError, toRequestError } from '../client/request-error.ts'
import { type Announcement, type Announcements, concerns } from './announcements.ts'
import { Live } from './live.ts'
import { addChanges, applyChanges, type PageContext } from './page-changes.ts'
import { UnsavedChanges } from './unsaved-changes.ts'

export interface PageView {
  /** Missing until it was loaded. */
  readonly context: PageContext | undefined
  /** Whether the server has everything that is shown. */
  readonly isSaved: boolean
  /** Why loading or saving failed last. */
  readonly error: RequestError | undefined
  /** What the server refused; it is shown no longer. */
  readonly refused: PageChanges | undefined
}

interface State {
  readonly saved: PageContext | undefined
  /** Oldest first; the first one may be on its way. */
  readonly waiting: readonly PageChanges[]
  readonly error: RequestError | undefined
  readonly refused: PageChanges | undefined
}

const EMPTY: State = { saved: undefined, waiting: [], error: undefined, refused: undefined }

const toView = ({ saved, waiting, error, refused }: State): PageView => ({
  context: saved && waiting.reduce(applyChanges, saved),
  isSaved: waiting.length === 0,
  error,
  refused,
})

/** Typing goes out as one request, and a reader who looks at another tab finds it there. */
const SAVE_AFTER_MS = 500
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 15_000

export class LivePage extends Live<PageView> {
  readonly #client: RecollectClient
  readonly #announcements: Announcements
  readonly #id: string
  readonly #about: string
  readonly #unsaved: UnsavedChanges
  #state: State = EMPTY
  #ends: (() => void)[] = []
  #saveTimer: ReturnType<typeof setTimeout> | undefined
  #loadTimer: ReturnType<typeof setTimeout> | undefined
  #waitMs = FIRST_WAIT_MS
  #saving: Promise<void> | undefined
  #isTakenOver = false

  constructor(client: RecollectClient, id: string, announcements: Announcements) {
    super(toView(EMPTY))
    this.#client = client
    this.#announcements = announcements
    this.#id = id
    this.#about = `page ${id}`
    this.#unsaved = new UnsavedChanges(client.name, id)
  }

  protected begin(): void {
    this.#ends = [
      onReturn(() => void this.refresh()),
      onPageHide(() => void this.flush()),
      this.#announcements.listen(this.#hear),
    ]
    this.#takeOver()
    void this.refresh()
  }

  protected rest(): void {
    for (const end of this.#ends) end()
    this.#ends = []
    clearTimeout(this.#loadTimer)
    void this.flush()
  }

  readonly #hear = (told: Announcement): void => {
    // Read, not told: of two tabs that save at once, each would take what the other has for the newer.
    if (concerns(told, this.#about)) void this.refresh()
  }

  /** Changes some of it; objects are merged key by key, null clears. */
  readonly update: (changes: PageChanges) => void = (changes) => {
    // The first may be on its way: what comes now must not be taken for saved with it.
    const isOut = this.#saving !== undefined
    const [first, ...rest] = this.#state.waiting
    const waiting =
      isOut && first !== undefined
        ? [first, ...addChanges(rest, changes)]
        : addChanges(this.#state.waiting, changes)
    this.#keep({ waiting, refused: undefined })
    this.#saveLater(SAVE_AFTER_MS)
  }

  /** Saves now what waits, in a way that outlives the page. */
  readonly flush: () => Promise<void> = async () => {
    clearTimeout(this.#saveTimer)
    this.#saving ??= this.#saveAll().finally(() => {
      this.#saving = undefined
    })
    await this.#saving
  }

  readonly dismissError: () => void = () => this.#show({ error: undefined, refused: undefined })

  readonly refresh: () => Promise<void> = async () => {
    clearTimeout(this.#loadTimer)
    try {
      const saved = await this.#client.pages.load(this.#id)
      this.#waitMs = FIRST_WAIT_MS
      this.#show({
        saved: this.#later(saved),
        ...(this.#state.refused === undefined && { error: undefined }),
      })
      if (this.#state.waiting.length > 0) await this.flush()
    } catch (error) {
      const failure = toRequestError(error)
      this.#show({ error: failure })
      if (failure.isPassing && this.isRead) {
        this.#loadTimer = setTimeout(() => void this.refresh(), this.#nextWait())
      }
    }
  }

  /** Answers may overtake each other. */
  #later(saved: PageContext): PageContext {
    const known = this.#state.saved
    return known !== undefined && known.updatedAt > saved.updatedAt ? known : saved
  }

  #show(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change }
    this.set(toView(this.#state))
  }

  #keep(change: Pick<State, 'waiting'> & Partial<State>): void {
    this.#unsaved.keep(change.waiting)
    this.#show(change)
  }

  #takeOver(): void {
    if (this.#isTakenOver) return
    this.#isTakenOver = true
    const left = this.#unsaved.takeOver()
    if (left.length > 0) this.#keep({ waiting: [...left, ...this.#state.waiting] })
  }

  #saveLater(waitMs: number): void {
    clearTimeout(this.#saveTimer)
    this.#saveTimer = setTimeout(() => void this.flush(), waitMs)
  }

  #nextWait(): number {
    const waitMs = this.#waitMs
    this.#waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
    return waitMs
  }

  async #saveAll(): Promise<void> {
    while (this.#state.waiting[0] !== undefined) {
      const isSettled = await this.#saveOne(this.#state.waiting[0])
      if (!isSettled) return this.#saveLater(this.#nextWait())
    }
  }

  /** False when it did not get through, and is to be sent again. */
  async #saveOne(changes: PageChanges): Promise<boolean> {
    try {
      const saved = await this.#client.pages.save(this.#id, changes, { keepalive: true })
      this.#waitMs = FIRST_WAIT_MS
      this.#keep({ saved: this.#later(saved), waiting: this.#state.waiting.slice(1), error: undefined })
      this.#announcements.tell({ about: this.#about }, this.#hear)
      return true
    } catch (error) {
      const failure = toRequestError(error)
      if (failure.isPassing) this.#show({ error: failure })
      else this.#keep({ waiting: this.#state.waiting.slice(1), error: failure, refused: changes })
      return !failure.isPassing
    }
  }
}
