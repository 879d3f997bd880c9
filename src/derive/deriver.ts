// Keeps all derived data up to date: right after a message is stored, in the background for slow or leftover
// work, and from scratch on request. The rules with their word lists take longer to load than a database takes to
// open, so they are loaded on first use, and never if nothing is derived.

import type { Conversation } from '../domain/conversation.ts'
import type { ConversationKey } from '../domain/ids.ts'
import { KeyedMutex } from '../domain/keyed-mutex.ts'
import type { Message } from '../domain/message.ts'
import { READER } from '../store/derivations.ts'
import type { JobCounts } from '../store/jobs.ts'
import { BackgroundQueue } from './background-queue.ts'
import { cacheKeyOf } from './conversation-name.ts'
import type { ReaderDeps } from './derive.ts'
import { type DeriveFailure, DeriveFailures } from './derive-failures.ts'
import type { JobRunner } from './jobs/run-jobs.ts'
import { READER_VERSION } from './reading/items.ts'
import { type KnownConversation, RecentConversations } from './recent-conversations.ts'
import { StaleScanner, UNREAD } from './stale-scanner.ts'
import type { RollingDeps } from './summaries/roll-summary.ts'
import { findDue, NOTHING_ROLLED, type Rolled, SUMMARIES, type WhenToRoll } from './summaries/rolled.ts'
import type { VectorKeeper, VectorStatus } from './vectors/keep-vectors.ts'

const NO_LIMIT = 1_000_000_000
const COMPRESSED_AT_ONCE = 512

export interface DeriverDeps extends ReaderDeps {
  readonly rolling: WhenToRoll
  readonly loadRolling: () => Promise<RollingDeps>
  /** Missing if only the built-in embedder is used. */
  readonly vectors?: VectorKeeper
  /** Runs jobs that need a model. */
  readonly jobs: JobRunner
  readonly when: 'at-once' | 'background' | 'never'
  /** Number of long conversations whose reader state is cached. */
  readonly cachedConversations: number
  /** Interval between scans for unread messages. */
  readonly rescanIntervalMs: number
}

export interface DeriveStatus {
  /** Conversations with unread messages. */
  readonly behind: number
  /** Conversations that this process is reading, compressing or condensing. */
  readonly underWay: number
  /** Jobs that need a model, in all workspaces. */
  readonly jobs: JobCounts
  /** Whether jobs are waiting or running that this process has the models for. */
  readonly hasJobs: boolean
  /** How often a conversation was condensed since the memory was opened. */
  readonly condensations: number
  readonly failures: readonly DeriveFailure[]
  readonly vectors?: VectorStatus
}

/** Messages that were just appended, and their conversation. */
export interface Appended {
  readonly messages: readonly Message[]
  readonly conversation: Conversation
}

export class Deriver {
  readonly #deps: DeriverDeps
  readonly #mutex = new KeyedMutex()
  readonly #queue = new BackgroundQueue()
  readonly #known: RecentConversations
  readonly #failures: DeriveFailures
  readonly #scanner: StaleScanner
  /** Messages appended since the last run for their conversation began. */
  readonly #appended = new Map<string, Appended>()
  /** Conversations waiting to be condensed. */
  readonly #due = new Set<string>()
  #condensations = 0
  #isStopped = false
  #reading: Promise<typeof import('./derive.ts')> | undefined

  constructor(parts: DeriverDeps) {
    this.#deps = parts
    this.#known = new RecentConversations(parts.cachedConversations)
    this.#failures = new DeriveFailures(parts.now)
    this.#scanner = new StaleScanner({
      ...parts,
      everyMs: parts.rescanIntervalMs,
      condensedBehind: parts.rolling.options.everyNMessages,
      failures: this.#failures,
      read: (key) => this.#readLeftover(key),
    })
  }

  /** Reads messages that were just appended. Never rejects: they are stored, and `status` reports errors. */
  async afterAppend(
    key: ConversationKey,
    appended: Appended,
    { isLater = false }: { readonly isLater?: boolean } = {},
  ): Promise<void> {
    if (this.#deps.when === 'never' || !appended.conversation.isMemoryOn) return
    const name = cacheKeyOf(key)
    // The next run reads everything that was appended before it.
    this.#appended.set(name, joinAppended(this.#appended.get(name), appended))
    const read = () => this.#attempt(key, () => this.#catchUp(key, this.#appended.get(name) ?? appended))
    if (isLater) this.#queue.add(name, read)
    else if (this.#deps.when === 'at-once') await read()
    else void read()
  }

  /** Reads all unread messages of a conversation. */
  async catchUp(key: ConversationKey): Promise<void> {
    if (this.#deps.when === 'never') return
    await this.#attempt(key, async () => {
      const { store } = this.#deps
      const conversation = await store.findConversation(key)
      if (!conversation?.isMemoryOn) return
      // Another process may have read further, or erased text that was read.
      const active = await store.findDerivation({ ...key, deriver: READER })
      if (active?.revision !== this.#known.get(cacheKeyOf(key))?.reading?.revision)
        this.#known.delete(cacheKeyOf(key))
      await this.#catchUp(key, { messages: [], conversation })
    })
  }

  /** Derives a conversation from scratch, then replaces the existing results. */
  async rebuild(key: ConversationKey, onRead: (messages: number) => void = () => undefined): Promise<void> {
    await this.#mutex.run(cacheKeyOf(key), () => this.#deriveAnew(key, onRead))
  }

  /** Reads all unread messages in the background. */
  wake(): void {
    if (this.#deps.when === 'never') return
    this.#deps.jobs.wake()
    this.#scanner.wake()
  }

  /** Resolves when nothing is left to derive. */
  async whenDone(): Promise<void> {
    this.wake()
    await this.#scanner.whenIdle()
    await this.#whenIdle()
    await this.#deps.jobs.whenIdle()
  }

  /** Stops running work at its next checkpoint. The rest is done when the memory is opened again. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#scanner.stop()
    await this.#deps.jobs.stop()
    await this.#scanner.whenIdle()
    await this.#whenIdle()
  }

  async #whenIdle(): Promise<void> {
    do {
      await this.#mutex.whenIdle()
      await this.#queue.whenIdle()
    } while (this.#mutex.size > 0)
  }

  async status(): Promise<DeriveStatus> {
    const { store, jobs } = this.#deps
    // Read these first: work may finish while the store is queried.
    const names = new Set([...this.#mutex.keys, ...this.#queue.keys])
    const underWay = names.size + Number(this.#scanner.isRunning)
    const behind = await store.listStale({ ...UNREAD, limit: NO_LIMIT })
    const vectors = await this.#deps.vectors?.status()
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
    const name = cacheKeyOf(key)
    await this.#mutex.joinOrRun(name, async () => {
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
    this.#appended.delete(cacheKeyOf(key))
    const known = this.#known.get(cacheKeyOf(key))
    const { isBehind, openReader, readToEnd } = await this.#loadReading()
    const atHand = known?.reading
    const open =
      atHand === undefined || isBehind(atHand, messages)
        ? await openReader(this.#deps, key, atHand && { before: atHand })
        : atHand
    // Results of another rules version are derived from scratch in the background, not continued.
    if (open === undefined) return this.wake()
    const start = {
      appended: messages,
      reading: open,
      ...(messages.length > 0 && { through: conversation.messageCount }),
    }
    const { reading, compress } = await readToEnd(this.#deps, key, start)
    this.#remember(key, { ...known, reading })
    if (this.#deps.jobsForMessages.length > 0) this.#deps.jobs.wake()
    if (compress.length > 0) this.#later(key, () => this.#compress(key, compress))
    await this.#planSummary(key, conversation)
  }

  /** Cached, since `import` resolves the module on every call, and this runs for every message. */
  #loadReading(): Promise<typeof import('./derive.ts')> {
    this.#reading ??= import('./derive.ts')
    return this.#reading
  }

  async #planSummary(key: ConversationKey, conversation: Conversation): Promise<void> {
    const name = cacheKeyOf(key)
    const isDue = (rolled: Rolled) => findDue(rolled, conversation, this.#deps.rolling) !== undefined
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
      if (this.#deps.rolling.options.rolling === 'on') this.#condensations += 1
      this.#remember(key, { ...this.#known.get(name), rolled: made })
      this.#deps.jobs.wake()
    })
  }

  async #roll(key: ConversationKey, how: { readonly isAnew: boolean }): Promise<Rolled> {
    const { rollToEnd } = await import('./summaries/roll-summary.ts')
    return rollToEnd(await this.#deps.loadRolling(), key, how)
  }

  async #findRolled(key: ConversationKey): Promise<Rolled> {
    const active = await this.#deps.store.findDerivation({ ...key, deriver: SUMMARIES })
    return active === undefined ? NOTHING_ROLLED : (active.state as unknown as Rolled)
  }

  /** In batches, so that other writers get their turn. */
  async #compress(key: ConversationKey, positions: readonly number[]): Promise<void> {
    for (let at = 0; at < positions.length && !this.#isStopped; at += COMPRESSED_AT_ONCE) {
      await this.#deps.store.compress(key, positions.slice(at, at + COMPRESSED_AT_ONCE))
    }
  }

  /** Runs in the conversation's queue without making the caller wait. */
  #later(key: ConversationKey, work: () => Promise<void>): void {
    const name = cacheKeyOf(key)
    const attempt = async () => {
      if (this.#isStopped) return
      try {
        await work()
      } catch (error) {
        this.#failures.note(key, error)
      }
    }
    this.#queue.add(name, () => this.#mutex.run(name, attempt))
  }

  #remember(key: ConversationKey, known: KnownConversation): void {
    this.#known.set(cacheKeyOf(key), known)
  }

  async #readLeftover(key: ConversationKey): Promise<void> {
    const active = await this.#deps.store.findDerivation({ ...key, deriver: READER })
    if (active !== undefined && active.version !== READER_VERSION) {
      await this.#attempt(key, () => this.#deriveAnew(key))
    } else {
      await this.catchUp(key)
    }
  }

  async #deriveAnew(
    key: ConversationKey,
    onRead: (messages: number) => void = () => undefined,
  ): Promise<void> {
    this.#known.delete(cacheKeyOf(key))
    const { rebuildConversation } = await this.#loadReading()
    const { compress } = await rebuildConversation(this.#deps, key, onRead)
    const compressed = new Set(await this.#deps.store.compressedPositions(key))
    await this.#compress(
      key,
      compress.filter((position) => !compressed.has(position)),
    )
    await this.#roll(key, { isAnew: true })
  }
}

/** Concatenates two appends. */
const joinAppended = (before: Appended | undefined, next: Appended): Appended =>
  before === undefined ? next : { ...next, messages: [...before.messages, ...next.messages] }
