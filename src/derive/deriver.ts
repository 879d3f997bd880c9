// Keeps everything that is derived up to date: at once after a message, in the background for what takes longer
// or was left over, anew when asked to.

import type { Conversation } from '../domain/conversation.ts'
import { type ConversationKey, conversationId, workspaceId } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import type { Embedder } from '../model/embedder.ts'
import type { UnderivedList } from '../store/derivations.ts'
import { type OpenReading, type ReadingParts, readAnew, readToEnd } from './derive.ts'
import { READING } from './facts/statement.ts'
import { InTurn } from './in-turn.ts'
import type { JobRunner } from './jobs/run-jobs.ts'
import type { CompressPlan } from './reading/conversation-reader.ts'
import { READING_VERSION } from './reading/items.ts'
import {
  findDue,
  NOTHING_ROLLED,
  type Rolled,
  type RollingParts,
  rollToEnd,
  SUMMARIES,
  SUMMARIES_VERSION,
} from './summaries/roll-summary.ts'
import { VECTORS, VECTORS_JOB } from './vectors/make-vectors.ts'

const NO_LIMIT = 1_000_000_000
const AT_ONCE = 50

export interface DeriverParts extends ReadingParts {
  readonly rolling: Pick<RollingParts, 'options' | 'windowTokens'>
  readonly loadRolling: () => Promise<RollingParts>
  /** Missing where the built-in one does all. */
  readonly loadEmbedder?: () => Promise<Embedder>
  /** Work for models. */
  readonly jobs: JobRunner
  readonly when: 'at-once' | 'background' | 'never'
  /** Of so many conversations, what reading goes on with is kept at hand. */
  readonly cachedConversations: number
}

/** A conversation that could not be derived; its messages are kept. */
export interface DeriveFailure extends ConversationKey {
  readonly error: unknown
  readonly failedAt: Date
}

/** Vectors by an embedder that is not built in. */
export interface VectorStatus {
  readonly embedder: string
  /** Conversations that have yet to get theirs; older vectors answer until then. */
  readonly behind: number
}

export interface DeriveStatus {
  /** Conversations with messages that were not read yet. */
  readonly behind: number
  readonly failures: readonly DeriveFailure[]
  readonly vectors?: VectorStatus
}

/** What was just appended, and to what. */
export interface Appended {
  readonly messages: readonly Message[]
  readonly conversation: Conversation
}

/** What this process knows of a conversation that it derived lately. */
interface Known {
  readonly reading?: OpenReading
  readonly rolled?: Rolled
}

export class Deriver {
  readonly #parts: DeriverParts
  readonly #inTurn = new InTurn()
  readonly #known = new Map<string, Known>()
  readonly #failures = new Map<string, DeriveFailure>()
  #embedder: Embedder | undefined
  #isStopped = false
  #background: Promise<void> | undefined

  constructor(parts: DeriverParts) {
    this.#parts = parts
  }

  /** Reads what was just appended. Never fails: the messages are kept, and `status` tells what went wrong. */
  async afterAppend(key: ConversationKey, appended: Appended): Promise<void> {
    if (this.#parts.when === 'never' || !appended.conversation.isMemoryOn) return
    const reading = this.#attempt(key, () => this.#catchUp(key, appended))
    if (this.#parts.when === 'at-once') await reading
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
    if (this.#isStopped || this.#background !== undefined) return
    this.#background = this.#readLeftovers()
      .catch((error: unknown) => {
        this.#failures.set(EVERYWHERE, { ...NOWHERE, error, failedAt: this.#parts.now() })
      })
      .finally(() => {
        this.#background = undefined
      })
  }

  /** Resolves when nothing is left to derive. */
  async whenDone(): Promise<void> {
    this.wake()
    await this.#background
    await this.#inTurn.whenIdle()
    await this.#parts.jobs.whenIdle()
  }

  /** What is under way comes to its next resting place; the rest goes on when the memory is opened again. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#parts.jobs.stop()
    await this.#background
    await this.#inTurn.whenIdle()
  }

  async status(): Promise<DeriveStatus> {
    const behind = await this.#parts.store.underived({ ...UNREAD, limit: NO_LIMIT })
    const vectors = await this.#vectorStatus()
    return { behind: behind.length, failures: [...this.#failures.values()], ...(vectors && { vectors }) }
  }

  async #attempt(key: ConversationKey, work: () => Promise<void>): Promise<void> {
    const name = nameOf(key)
    await this.#inTurn.join(name, async () => {
      if (this.#isStopped) return
      try {
        await work()
        this.#failures.delete(name)
      } catch (error) {
        this.#known.delete(name)
        this.#failures.set(name, { ...key, error, failedAt: this.#parts.now() })
      }
    })
  }

  async #catchUp(key: ConversationKey, { messages, conversation }: Appended): Promise<void> {
    const known = this.#known.get(nameOf(key))
    if (known?.reading === undefined && !(await this.#isOfThisVersion(key))) return
    const start = { appended: messages, ...(known?.reading && { reading: known.reading }) }
    const { reading, compress } = await readToEnd(this.#parts, key, start)
    this.#remember(key, { ...known, reading })
    if (this.#parts.jobsForMessages.length > 0) this.#parts.jobs.wake()
    for (const plan of compress) this.#later(key, () => this.#compress(key, plan))
    await this.#planSummary(key, conversation)
  }

  /** What was read by rules of another version is read anew in the background, not on by these. */
  async #isOfThisVersion(key: ConversationKey): Promise<boolean> {
    const active = await this.#parts.store.findDerivation({ ...key, deriver: READING })
    if (active === undefined || active.version === READING_VERSION) return true
    this.wake()
    return false
  }

  async #planSummary(key: ConversationKey, conversation: Conversation): Promise<void> {
    const known = this.#known.get(nameOf(key))
    const rolled = known?.rolled ?? (await this.#findRolled(key))
    this.#remember(key, { ...known, rolled })
    if (findDue(rolled, conversation, this.#parts.rolling) === undefined) return
    this.#later(key, async () => {
      const made = await rollToEnd(await this.#parts.loadRolling(), key, { isAnew: false })
      this.#remember(key, { ...this.#known.get(nameOf(key)), rolled: made })
      this.#parts.jobs.wake()
    })
  }

  async #findRolled(key: ConversationKey): Promise<Rolled> {
    const active = await this.#parts.store.findDerivation({ ...key, deriver: SUMMARIES })
    return active === undefined ? NOTHING_ROLLED : (active.state as unknown as Rolled)
  }

  async #compress(key: ConversationKey, plan: CompressPlan): Promise<void> {
    const { store } = this.#parts
    const readings = await store.readings({
      ...key,
      deriver: READING,
      topic: plan.topic,
      limit: plan.messages,
    })
    await store.compress(
      key,
      readings.map(({ position }) => position),
    )
  }

  /** After whatever is under way for the conversation, without anybody waiting for it. */
  #later(key: ConversationKey, work: () => Promise<void>): void {
    const name = nameOf(key)
    const attempt = async () => {
      if (this.#isStopped) return
      await new Promise((next) => setImmediate(next))
      try {
        await work()
      } catch (error) {
        this.#failures.set(name, { ...key, error, failedAt: this.#parts.now() })
      }
    }
    void this.#inTurn.run(name, attempt)
  }

  #remember(key: ConversationKey, known: Known): void {
    const name = nameOf(key)
    this.#known.delete(name)
    this.#known.set(name, known)
    if (this.#known.size <= this.#parts.cachedConversations) return
    const [oldest] = this.#known.keys()
    if (oldest !== undefined) this.#known.delete(oldest)
  }

  async #readLeftovers(): Promise<void> {
    this.#failures.delete(EVERYWHERE)
    await this.#readAll(UNREAD)
    await this.#readAll({ ...UNROLLED, behind: this.#parts.rolling.options.summaryEveryNMessages })
    await this.#callForVectors()
  }

  async #vectorStatus(): Promise<VectorStatus | undefined> {
    const embedder = this.#embedder
    if (embedder === undefined) return undefined
    const left = await this.#parts.store.underived({ ...unvectored(embedder), limit: NO_LIMIT })
    return { embedder: embedder.name, behind: left.length }
  }

  /** Conversations that have vectors by another embedder, or none, get their job. */
  async #callForVectors(): Promise<void> {
    const { loadEmbedder, store, now } = this.#parts
    if (loadEmbedder === undefined) return
    try {
      this.#embedder ??= await loadEmbedder()
      this.#failures.delete(VECTORS)
    } catch (error) {
      this.#failures.set(VECTORS, { ...NOWHERE, error, failedAt: now() })
      return
    }
    for (const key of await store.underived({ ...unvectored(this.#embedder), limit: NO_LIMIT })) {
      if (this.#isStopped) return
      await store.addJobs(key, [VECTORS_JOB], now())
    }
    this.#parts.jobs.wake()
  }

  /** Each conversation once: what fails now is not tried again at once. */
  async #readAll(wanted: Omit<UnderivedList, 'limit'>): Promise<void> {
    for (const tried = new Set<string>(); !this.#isStopped; ) {
      const keys = await this.#parts.store.underived({ ...wanted, limit: AT_ONCE + tried.size })
      const next = keys.find((key) => !tried.has(nameOf(key)))
      if (next === undefined) return
      tried.add(nameOf(next))
      await this.#readLeftover(next)
      await new Promise((turn) => setImmediate(turn))
    }
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
    const { compress } = await readAnew(this.#parts, key, onRead)
    for (const plan of compress) await this.#compress(key, plan)
    await rollToEnd(await this.#parts.loadRolling(), key, { isAnew: true })
  }
}

const UNREAD = { deriver: READING, version: READING_VERSION, behind: 1 } as const
const UNROLLED = { deriver: SUMMARIES, version: SUMMARIES_VERSION } as const

const unvectored = ({ name }: Embedder) => ({ deriver: VECTORS, version: name, behind: 1 }) as const
/** The name of a failure that is no conversation's own. */
const EVERYWHERE = ''
const NOWHERE: ConversationKey = { workspace: workspaceId(''), conversation: conversationId('') }

const nameOf = ({ workspace, conversation }: ConversationKey): string => `${workspace}\u0000${conversation}`
