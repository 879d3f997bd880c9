// Keeps everything that is derived up to date: at once after a message, in the background for what takes longer
// or was left over, anew when asked to. The rules themselves, with all their lists of words, take longer to load
// than a file to open: they come when there is something to derive, and never to who derives nothing.

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
  /** Missing where the built-in embedder does all. */
  readonly vectors?: VectorKeeper
  /** Work for models. */
  readonly jobs: JobRunner
  readonly when: 'at-once' | 'background' | 'never'
  /** Of so many long conversations, what reading goes on with is kept at hand. */
  readonly cachedConversations: number
  /** How often it is looked for what was left unread. */
  readonly rescanIntervalMs: number
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
  readonly #deps: DeriverDeps
  readonly #mutex = new KeyedMutex()
  readonly #queue = new BackgroundQueue()
  readonly #known: RecentConversations
  readonly #failures: DeriveFailures
  readonly #scanner: StaleScanner
  /** What was appended since the last turn of its conversation began. */
  readonly #appended = new Map<string, Appended>()
  /** Conversations that wait to be condensed. */
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

  /** Reads what was just appended. Never fails: the messages are kept, and `status` tells what went wrong. */
  async afterAppend(
    key: ConversationKey,
    appended: Appended,
    { isLater = false }: { readonly isLater?: boolean } = {},
  ): Promise<void> {
    if (this.#deps.when === 'never' || !appended.conversation.isMemoryOn) return
    const name = cacheKeyOf(key)
    // Whoever has the next turn reads for all that came before it.
    this.#appended.set(name, joinAppended(this.#appended.get(name), appended))
    const read = () => this.#attempt(key, () => this.#catchUp(key, this.#appended.get(name) ?? appended))
    if (isLater) this.#queue.add(name, read)
    else if (this.#deps.when === 'at-once') await read()
    else void read()
  }

  /** Reads what there is to read of a conversation. */
  async catchUp(key: ConversationKey): Promise<void> {
    if (this.#deps.when === 'never') return
    await this.#attempt(key, async () => {
      const { store } = this.#deps
      const conversation = await store.findConversation(key)
      if (!conversation?.isMemoryOn) return
      // Another process may have read on, or erased what was read.
      const active = await store.findDerivation({ ...key, deriver: READER })
      if (active?.revision !== this.#known.get(cacheKeyOf(key))?.reading?.revision)
        this.#known.delete(cacheKeyOf(key))
      await this.#catchUp(key, { messages: [], conversation })
    })
  }

  /** Derives a conversation anew beside what is there, and puts it in its place. */
  async rebuild(key: ConversationKey, onRead: (messages: number) => void = () => undefined): Promise<void> {
    await this.#mutex.run(cacheKeyOf(key), () => this.#deriveAnew(key, onRead))
  }

  /** Reads, in the background, whatever was left unread. */
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

  /** What is under way comes to its next resting place; the rest goes on when the memory is opened again. */
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
    // First of all: while the store is asked, it may be done.
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
    // What was read by rules of another version is read anew in the background, not on by these.
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

  /** Kept, since `import` looks the module up with every call, and every message asks. */
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
      this.#condensations += 1
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

  /** Some at a time, so that other writers get their turn. */
  async #compress(key: ConversationKey, positions: readonly number[]): Promise<void> {
    for (let at = 0; at < positions.length && !this.#isStopped; at += COMPRESSED_AT_ONCE) {
      await this.#deps.store.compress(key, positions.slice(at, at + COMPRESSED_AT_ONCE))
    }
  }

  /** In the turn of the conversation, without anybody waiting for it. */
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

/** One append after the other. */
const joinAppended = (before: Appended | undefined, next: Appended): Appended =>
  before === undefined ? next : { ...next, messages: [...before.messages, ...next.messages] }
