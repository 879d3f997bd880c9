import type { ReaderProgress } from './derive.ts'
import type { Rolled } from './summaries/rolled.ts'

/** What this process knows about a conversation that it derived recently. */
export interface KnownConversation {
  readonly reading?: ReaderProgress
  readonly rolled?: Rolled
}

/** This many short conversations take the space of a long one. */
const SHARES = 16
/** Every further 500 messages take another share. */
const MESSAGES_PER_SHARE = 500

/** LRU cache of derived conversations. It holds more short conversations than long ones. */
export class RecentConversations {
  readonly #known = new Map<string, KnownConversation>()
  readonly #room: number
  #taken = 0

  /** `long`: how many long conversations fit. */
  constructor(long: number) {
    this.#room = long * SHARES
  }

  get size(): number {
    return this.#known.size
  }

  get(name: string): KnownConversation | undefined {
    return this.#known.get(name)
  }

  set(name: string, known: KnownConversation): void {
    this.delete(name)
    this.#known.set(name, known)
    this.#taken += sharesOf(known)
    for (const oldest of this.#known.keys()) {
      if (this.#taken <= this.#room) return
      this.delete(oldest)
    }
  }

  delete(name: string): void {
    const known = this.#known.get(name)
    if (known === undefined) return
    this.#taken -= sharesOf(known)
    this.#known.delete(name)
  }
}

const sharesOf = ({ reading }: KnownConversation): number =>
  Math.min(SHARES, 1 + Math.floor((reading?.cursor ?? 0) / MESSAGES_PER_SHARE))
