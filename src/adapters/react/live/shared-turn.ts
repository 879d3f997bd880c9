// The turn under way, for the other tabs. What is recorded they read from the server; what is still coming no server
// has, so the tab that it comes to tells them, as often as a reader can follow. A tab that falls silent was closed.

import type { Announcement, Announcements } from './announcements.ts'
import type { Turn } from './conversation-view.ts'

const BEAT_MS = 100
/** Told anew while nothing comes: for tabs that were opened since, and so that the others know it is still there. */
const SILENT_BEATS = 15
/** Some silences; tabs that nobody sees are slowed down to one beat in a second. */
const GONE_MS = 6000

export interface TurnListener {
  /** A turn of another tab; undefined when it has ended. */
  hear(turn: Turn | undefined): void
  /** Somebody in another tab wants the turn of this one to end. */
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

  /** Returns how to end it. */
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
