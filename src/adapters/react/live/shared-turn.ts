// Shares the running turn with other tabs. Recorded messages they read from the server; text that is still
// being streamed is not there yet, so the tab that receives it sends it to them, as often as a reader can
// follow. A tab that goes silent was closed.

import type { Announcement, Announcements } from './announcements.ts'
import type { Turn } from './conversation-view.ts'

const BEAT_MS = 100
/** Sent again while nothing changes: for tabs opened since, and as a heartbeat. */
const SILENT_BEATS = 15
/** Several missed heartbeats; browsers slow hidden tabs down to one timer per second. */
const GONE_MS = 6000

export interface TurnListener {
  /** Called with the turn of another tab; undefined when it has ended. */
  hear(turn: Turn | undefined): void
  /** Called when another tab asks to stop this tab's turn. */
  stop(): void
}

interface Told extends Announcement {
  /** Null at its end. */
  readonly turn?: Turn | null
}

export class SharedTurn {
  readonly #announcements: Announcements
  readonly #listener: TurnListener
  readonly #turnName: string
  readonly #stopName: string
  #turn: Turn | undefined
  #isTold = false
  #silentBeats = 0
  #beats: ReturnType<typeof setInterval> | undefined
  #gone: ReturnType<typeof setTimeout> | undefined

  constructor(announcements: Announcements, conversationId: string, listener: TurnListener) {
    this.#announcements = announcements
    this.#listener = listener
    this.#turnName = `turn ${conversationId}`
    this.#stopName = `stop ${conversationId}`
  }

  /** Returns a function that unsubscribes. */
  listen(): () => void {
    const end = this.#announcements.listen(this.#hear)
    return () => {
      clearTimeout(this.#gone)
      end()
    }
  }

  tell(turn: Turn): void {
    this.#turn = turn
    this.#isTold = false
    this.#beats ??= setInterval(this.#beat, BEAT_MS)
  }

  end(): void {
    clearInterval(this.#beats)
    this.#beats = undefined
    this.#turn = undefined
    this.#say({ about: this.#turnName, turn: null })
  }

  askToStop(): void {
    this.#say({ about: this.#stopName })
  }

  readonly #beat = (): void => {
    this.#silentBeats += 1
    if (this.#turn === undefined || (this.#isTold && this.#silentBeats < SILENT_BEATS)) return
    this.#isTold = true
    this.#silentBeats = 0
    this.#say({ about: this.#turnName, turn: this.#turn })
  }

  #say(told: Told): void {
    this.#announcements.tell(told, this.#hear)
  }

  readonly #hear = (told: Told): void => {
    if (told.about === this.#stopName) this.#listener.stop()
    if (told.about !== this.#turnName || told.turn === undefined) return
    clearTimeout(this.#gone)
    this.#listener.hear(told.turn ?? undefined)
    if (told.turn !== null) this.#gone = setTimeout(() => this.#listener.hear(undefined), GONE_MS)
  }
}
