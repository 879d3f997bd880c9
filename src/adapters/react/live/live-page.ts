// The state of a page as components see it: the server's state, plus the changes that are not saved yet.
//
// - A change is shown at once, kept in the browser's storage until the server has it, and sent after a short
//   pause without further changes, or when the page is closed.
// - A change that the server rejects is reverted, and `error` has the reason. A change that does not reach the
//   server is kept, and sent again until it does.
// - Tabs notify each other of saved changes.

import type { PageChanges } from '../../../index.ts'
import { onPageHide, onReturn } from '../browser.ts'
import type { RecollectClient } from '../client/create-client.ts'
import { type RequestError, toRequestError } from '../client/send-request.ts'
import { type ChangeBus, type ChangeNotice, concerns, Live } from './live.ts'
import { addChanges, applyChanges, type PageContext, UnsavedChanges } from './page-changes.ts'

export interface PageView {
  /** Missing until it is loaded. */
  readonly context: PageContext | undefined
  /** Whether the server has everything that is shown. */
  readonly isSaved: boolean
  /** The last error of loading or saving. */
  readonly error: RequestError | undefined
  /** Changes that the server rejected; they are no longer shown. */
  readonly refused: PageChanges | undefined
}

interface State {
  readonly saved: PageContext | undefined
  /** Oldest first; the first one may be in flight. */
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

/** Typing is sent as one request, and is saved before the user gets to another tab. */
const SAVE_AFTER_MS = 500
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 15_000

export class LivePage extends Live<PageView> {
  readonly #client: RecollectClient
  readonly #changes: ChangeBus
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

  constructor(client: RecollectClient, id: string, changes: ChangeBus) {
    super(toView(EMPTY))
    this.#client = client
    this.#changes = changes
    this.#id = id
    this.#about = `page ${id}`
    this.#unsaved = new UnsavedChanges(client.name, id)
  }

  protected begin(): void {
    this.#ends = [
      onReturn(() => void this.refresh()),
      onPageHide(() => void this.flush()),
      this.#changes.subscribe(this.#hear),
      this.#changes.onSave(this.#about, () => this.flush()),
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

  readonly #hear = (told: ChangeNotice): void => {
    // Read instead of sharing the state: if two tabs save at once, each would take the other's state for the
    // newer one.
    if (concerns(told, this.#about)) void this.refresh()
  }

  /** Changes some fields; objects are merged key by key, null clears. */
  readonly update: (changes: PageChanges) => void = (changes) => {
    // The first change may be in flight: a new one must not be merged into it, or it would count as saved.
    const isOut = this.#saving !== undefined
    const [first, ...rest] = this.#state.waiting
    const waiting =
      isOut && first !== undefined
        ? [first, ...addChanges(rest, changes)]
        : addChanges(this.#state.waiting, changes)
    this.#keep({ waiting, refused: undefined })
    this.#saveLater(SAVE_AFTER_MS)
  }

  /** Saves pending changes now, in a way that survives closing the page. */
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

  /** Responses may arrive out of order. */
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

  /** False if the request did not get through and has to be retried. */
  async #saveOne(changes: PageChanges): Promise<boolean> {
    try {
      const saved = await this.#client.pages.save(this.#id, changes, { keepalive: true })
      this.#waitMs = FIRST_WAIT_MS
      this.#keep({ saved: this.#later(saved), waiting: this.#state.waiting.slice(1), error: undefined })
      this.#changes.publish({ about: this.#about }, this.#hear)
      return true
    } catch (error) {
      const failure = toRequestError(error)
      if (failure.isPassing) this.#show({ error: failure })
      else this.#keep({ waiting: this.#state.waiting.slice(1), error: failure, refused: changes })
      return !failure.isPassing
    }
  }
}
