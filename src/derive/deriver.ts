// Keeps everything that is derived up to date: at once after a message, in the background for what takes longer
// or was left over, anew when asked to. The rules themselves, with all their lists of words, take longer to load
// than a file to open: they come when there is something to derive, and never to who derives nothing.

import type { Conversation } from '../domain/conversation.ts'
import type { ConversationKey } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import type { JobCounts } from '../store/jobs.ts'
import { nameOf } from './conversation-name.ts'
import type { ReadingParts } from './derive.ts'
import { type DeriveFailure, DeriveFailures } from './derive-failures.ts'
import { READING } from './facts/statement.ts'
import { InTurn } from './in-turn.ts'
import type { JobRunner } from './jobs/run-jobs.ts'
import { Lane } from './lane.ts'
import { Leftovers, UNREAD } from './leftovers.ts'
import { READING_VERSION } from './reading/items.ts'
import { type KnownConversation, RecentConversations } from './recent-conversations.ts'
import type { RollingParts } from './summaries/roll-summary.ts'
import { findDue, NOTHING_ROLLED, type Rolled, SUMMARIES, type WhenToRoll } from './summaries/rolled.ts'
import type { VectorKeeper, VectorStatus } from './vectors/keep-vectors.ts'

const NO_LIMIT = 1_000_000_000
const COMPRESSED_AT_ONCE = 512

export interface DeriverParts extends ReadingParts {
  readonly rolling: WhenToRoll
  readonly loadRolling: () => Promise<RollingParts>
  /** Missing where the built-in embedder does all. */
  readonly vectors?: VectorKeeper
  /** Work for models. */
  readonly jobs: JobRunner
  readonly when: 'at-once' | 'background' | 'never'
  /** Of so many long conversations, what reading goes on with is kept at hand. */
  readonly cachedConversations: number
  /** How often it is looked for what was left unread. */
  readonly leftoversMs: number
}

export interface DeriveStatus {
  /** Conversations with messages that were not read yet. */
  readonly behind: number
  /** Conversations that this process is at work on: reading, compressing, condensing. */
  readonly underWay: number
  /** Work for models, of all workspaces. */
  readonly jobs: JobCounts
  /** Some of that work waits or runs, and can be done by the models that this process has. */
  readonly hasJobs: boolean
  /** How often a conversation was condensed since the memory was opened. */
  readonly condensations: number
  readonly failures: readonly DeriveFailure[]
  readonly vectors?: VectorStatus
}

/** What was just appended, and to what. */
export interface Appended {
  readonly messages: readonly Message[]
  readonly conversation: Conversation
}

export class Deriver {
  readonly #parts: DeriverParts
  readonly #inTurn = new InTurn()
  readonly #lane = new Lane()
  readonly #known: RecentConversations
  readonly #failures: DeriveFailures
  readonly #leftovers: Leftovers
  /** What was appended since the last turn of its conversation began. */
  readonly #appended = new Map<string, Appended>()
  /** Conversations that wait to be condensed. */
  readonly #due = new Set<string>()
  #condensations = 0
  #isStopped = false
  #reading: Promise<typeof import('./derive.ts')> | undefined

  constructor(parts: DeriverParts) {
    this.#parts = parts
    this.#known = new RecentConversations(parts.cachedConversations)
    this.#failures = new DeriveFailures(parts.now)
    this.#leftovers = new Leftovers({
      ...parts,
      everyMs: parts.leftoversMs,
      condensedBehind: parts.rolling.options.summaryEveryNMessages,
      failures: this.#failures,
      read: (key) => this.#readLeftover(key),
    })
  }

  /** Reads what was just appended. Never fails: the messages are kept, and `status` tells what went wrong. */
  async afterAppend(
    key: ConversationKey,
    appended: Appended,
    { isLater = false }: { readonly isLater?: boolean } = {},
  ): Promise<void> {
    if (this.#parts.when === 'never' || !appended.conversation.isMemoryOn) return
    const name = nameOf(key)
    // Whoever has the next turn reads for all that came before it.
    this.#appended.set(name, joinAppended(this.#appended.get(name), appended))
    const read = () => this.#attempt(key, () => this.#catchUp(key, this.#appended.get(name) ?? appended))
    if (isLater) this.#lane.add(name, read)
    else if (this.#parts.when === 'at-once') await read()
    else void read()
  }

  /** Reads what there is to read of a conversation. */
  async catchUp(key: ConversationKey): Promise<void> {
    if (this.#parts.when === 'never') return
    await this.#attempt(key, async () => {
      const { store } = this.#parts
      const conversation = await store.findConversation(key)
      if (!conversation?.isMemoryOn) return
      // Another process may have read on, or erased what was read.
      const active = await store.findDerivation({ ...key, deriver: READING })
      if (active?.revision !== this.#known.get(nameOf(key))?.reading?.revision)
        this.#known.delete(nameOf(key))
      await this.#catchUp(key, { messages: [], conversation })
    })
  }

  /** Derives a conversation anew beside what is there, and puts it in its place. */
  async rebuild(key: ConversationKey, onRead: (messages: number) => void = () => undefined): Promise<void> {
    await this.#inTurn.run(nameOf(key), () => this.#deriveAnew(key, onRead))
  }

  /** Reads, in the background, whatever was left unread. */
  wake(): void {
    if (this.#parts.when === 'never') return
    this.#parts.jobs.wake()
    this.#leftovers.wake()
  }

  /** Resolves when nothing is left to derive. */
  async whenDone(): Promise<void> {
    this.wake()
    await this.#leftovers.whenIdle()
    await this.#whenIdle()
    await this.#parts.jobs.whenIdle()
  }

  /** What is under way comes to its next resting place; the rest goes on when the memory is opened again. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#leftovers.stop()
    await this.#parts.jobs.stop()
    await this.#leftovers.whenIdle()
    await this.#whenIdle()
  }

  async #whenIdle(): Promise<void> {
    do {
      await this.#inTurn.whenIdle()
      await this.#lane.whenIdle()
    } while (this.#inTurn.size > 0)
  }

  async status(): Promise<DeriveStatus> {
    const { store, jobs } = this.#parts
    // First of all: while the store is asked, it may be done.
    const names = new Set([...this.#inTurn.names, ...this.#lane.names])
    const underWay = names.size + Number(this.#leftovers.isUnderWay)
    const behind = await store.underived({ ...UNREAD, limit: NO_LIMIT })
    const vectors = await this.#parts.vectors?.status()
    return {
      behind: behind.length,
      underWay,
      jobs: await store.countJobs(),
      hasJobs: await jobs.hasWork(),
      condensations: this.#condensations,
      failures: this.#failures.list(),
      ...(vectors && { vectors }),
    }
  }

  async #attempt(key: ConversationKey, work: () => Promise<void>): Promise<void> {
    const name = nameOf(key)
    await this.#inTurn.join(name, async () => {
      if (this.#isStopped) return
      try {
        await work()
        this.#failures.clear(key)
      } catch (error) {
        this.#known.delete(name)
        this.#failures.note(key, error)
      }
    })
  }

  async #catchUp(key: ConversationKey, { messages, conversation }: Appended): Promise<void> {
    this.#appended.delete(nameOf(key))
    const known = this.#known.get(nameOf(key))
    const { isOvertaken, openReading, readToEnd } = await this.#loadReading()
    const atHand = known?.reading
    const open =
      atHand === undefined || isOvertaken(atHand, messages)
        ? await openReading(this.#parts, key, atHand && { before: atHand })
        : atHand
    // What was read by rules of another version is read anew in the background, not on by these.
    if (open === undefined) return this.wake()
    const start = {
      appended: messages,
      reading: open,
      ...(messages.length > 0 && { through: conversation.messageCount }),
    }
    const { reading, compress } = await readToEnd(this.#parts, key, start)
    this.#remember(key, { ...known, reading })
    if (this.#parts.jobsForMessages.length > 0) this.#parts.jobs.wake()
    if (compress.length > 0) this.#later(key, () => this.#compress(key, compress))
    await this.#planSummary(key, conversation)
  }

  /** Kept, since `import` looks the module up with every call, and every message asks. */
  #loadReading(): Promise<typeof import('./derive.ts')> {
    this.#reading ??= import('./derive.ts')
    return this.#reading
  }

  async #planSummary(key: ConversationKey, conversation: Conversation): Promise<void> {
    const name = nameOf(key)
    const isDue = (rolled: Rolled) => findDue(rolled, conversation, this.#parts.rolling) !== undefined
    const known = this.#known.get(name)
    if (this.#due.has(name) || (known?.rolled !== undefined && !isDue(known.rolled))) return
    // Another process may have condensed it since.
    const rolled = await this.#findRolled(key)
    this.#remember(key, { ...known, rolled })
    if (!isDue(rolled)) return
    this.#due.add(name)
    this.#later(key, async () => {
      this.#due.delete(name)
      const made = await this.#roll(key, { isAnew: false })
      this.#condensations += 1
      this.#remember(key, { ...this.#known.get(name), rolled: made })
      this.#parts.jobs.wake()
    })
  }

  async #roll(key: ConversationKey, how: { readonly isAnew: boolean }): Promise<Rolled> {
    const { rollToEnd } = await import('./summaries/roll-summary.ts')
    return rollToEnd(await this.#parts.loadRolling(), key, how)
  }

  async #findRolled(key: ConversationKey): Promise<Rolled> {
    const active = await this.#parts.store.findDerivation({ ...key, deriver: SUMMARIES })
    return active === undefined ? NOTHING_ROLLED : (active.state as unknown as Rolled)
  }

  /** Some at a time, so that other writers get their turn. */
  async #compress(key: ConversationKey, positions: readonly number[]): Promise<void> {
    for (let at = 0; at < positions.length && !this.#isStopped; at += COMPRESSED_AT_ONCE) {
      await this.#parts.store.compress(key, positions.slice(at, at + COMPRESSED_AT_ONCE))
    }
  }

  /** In the turn of the conversation, without anybody waiting for it. */
  #later(key: ConversationKey, work: () => Promise<void>): void {
    const name = nameOf(key)
    const attempt = async () => {
      if (this.#isStopped) return
      try {
        await work()
      } catch (error) {
        this.#failures.note(key, error)
      }
    }
    this.#lane.add(name, () => this.#inTurn.run(name, attempt))
  }

  #remember(key: ConversationKey, known: KnownConversation): void {
    this.#known.set(nameOf(key), known)
  }

  async #readLeftover(key: ConversationKey): Promise<void> {
    const active = await this.#parts.store.findDerivation({ ...key, deriver: READING })
    if (active !== undefined && active.version !== READING_VERSION) {
      await this.#attempt(key, () => this.#deriveAnew(key))
    } else {
      await this.catchUp(key)
    }
  }

  async #deriveAnew(
    key: ConversationKey,
    onRead: (messages: number) => void = () => undefined,
  ): Promise<void> {
    this.#known.delete(nameOf(key))
    const { readAnew } = await this.#loadReading()
    const { compress } = await readAnew(this.#parts, key, onRead)
    const compressed = new Set(await this.#parts.store.compressedPositions(key))
    await this.#compress(
      key,
      compress.filter((position) => !compressed.has(position)),
    )
    await this.#roll(key, { isAnew: true })
  }
}

/** One append after the other. */
const joinAppended = (before: Appended | undefined, next: Appended): Appended =>
  before === undefined ? next : { ...next, messages: [...before.messages, ...next.messages] }
