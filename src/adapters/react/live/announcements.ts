// Announces changes to all listeners in this tab, and in other tabs of the same server.

/** What changed: `conversation trip` or `page sales`; `conversation` alone means any of them. */
export interface Announcement {
  readonly about: string
}

/** Changes may have been missed. */
export const EVERYTHING = 'everything'

/** Whether a listener for this name should read again. */
export const concerns = ({ about }: Announcement, name: string): boolean =>
  about === name || about === EVERYTHING || name.startsWith(`${about} `) || about.startsWith(`${name} `)

type Channel = InstanceType<typeof BroadcastChannel>
type Listener = (announcement: Announcement) => void

export class Announcements {
  readonly #listeners: Set<Listener> = new Set()
  readonly #name: string
  #channel: Channel | undefined

  constructor(name: string) {
    this.#name = `recollect ${name}`
  }

  /**
   * Returns a function that unsubscribes. The channel is only open while there are listeners: an open one
   * keeps a process alive.
   */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    this.#channel ??= this.#open()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      this.#channel?.close()
      this.#channel = undefined
    }
  }

  /** Announces to all listeners of other tabs, and to those of this tab except `except`. */
  tell(announcement: Announcement, except?: Listener): void {
    for (const listener of [...this.#listeners]) if (listener !== except) listener(announcement)
    this.#channel?.postMessage(announcement)
  }

  /** Announces in this tab only: other tabs learn of the change from the same source. */
  hear(announcement: Announcement): void {
    for (const listener of [...this.#listeners]) listener(announcement)
  }

  #open(): Channel | undefined {
    if (typeof BroadcastChannel === 'undefined') return undefined
    const channel = new BroadcastChannel(this.#name)
    channel.onmessage = ({ data }) => {
      for (const listener of [...this.#listeners]) listener(data as Announcement)
    }
    return channel
  }
}
