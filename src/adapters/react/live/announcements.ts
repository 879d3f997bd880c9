// What changed, told to all who look at it: in this tab, and in the other tabs of the same server.

/** `conversation trip` or `page sales`: what changed; `conversation` alone is any of them. */
export interface Announcement {
  readonly about: string
}

/** Something may have changed that nobody was told of. */
export const EVERYTHING = 'everything'

/** Whether whoever looks at something of this name should look again. */
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

  /** Returns how to end it. A channel is open only while somebody listens: an open one keeps a process alive. */
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

  /** Tells everybody else: all listeners of other tabs, and of this one but for `except`. */
  tell(announcement: Announcement, except?: Listener): void {
    for (const listener of [...this.#listeners]) if (listener !== except) listener(announcement)
    this.#channel?.postMessage(announcement)
  }

  /** Tells those in this tab: the others have it from the same source. */
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
