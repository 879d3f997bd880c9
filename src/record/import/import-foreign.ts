// Imports chats of other programs. Each record is converted to a neutral form (formats/, foreign/) and merged into the
// stored conversations (placing/). Several conversations are written at a time, to share commits. Unreadable records
// and invalid messages are reported with their position and skipped.

import { Digest } from '../../domain/digest.ts'
import type { MemoryError } from '../../domain/errors.ts'
import type { DoorRules } from '../accept-message.ts'
import type { WorkspaceDeps } from '../record.ts'
import type { ForeignRecord, RecordPlace } from './envelope/read-records.ts'
import type {
  Foreign,
  ForeignConversation,
  ForeignFact,
  ForeignFormat,
  ForeignMessage,
  LooseMessage,
  RepeatedFacts,
} from './foreign/foreign.ts'
import { findFormat, formatNamed, unknownFormat } from './formats/formats.ts'
import type { Imported, ImportFormat, ImportOptions } from './imported.ts'
import { ImportLog, reasonToSkip } from './imported.ts'
import { type Placed, placeConversation } from './placing/place-conversation.ts'
import type { Location } from './placing/plan-placing.ts'
import { toConversationId } from './placing/prepare-message.ts'

/** What an import needs. */
export interface ImportTarget extends WorkspaceDeps {
  /** Stores a fact of another memory. */
  readonly keepFact: (fact: ForeignFact, options: { readonly isDryRun: boolean }) => Promise<'new' | 'known'>
}

/** Limits of a write batch: large enough to share commits, small enough for memory. */
const BATCH_LIMITS = { conversations: 250, messages: 2000, characters: 8_000_000 } as const
/** The import fails if none of the first records is recognized. */
const MAX_UNRECOGNIZED_RECORDS = 100

interface Waiting {
  readonly foreign: ForeignConversation
  readonly place: string
}

export class ForeignImport {
  readonly #target: ImportTarget
  readonly #options: ImportOptions
  readonly #log: ImportLog
  readonly #door: DoorRules
  #format: ForeignFormat | undefined
  #unrecognized: ForeignRecord[] = []
  readonly #loose = new LooseMessages()
  #batch = new Map<string, Waiting>()
  #batchSize = { messages: 0, characters: 0 }
  readonly #reported = new Set<string>()
  /** For dry runs, in which repeated conversations cannot be found in the store. */
  readonly #seen = new Set<string>()
  readonly #ends = new Map<string, Location>()
  /** The latest by name. */
  readonly #repeated = new Map<string, RepeatedFacts>()

  constructor(target: ImportTarget, door: DoorRules, options: ImportOptions) {
    this.#target = target
    this.#options = options
    this.#door = door
    this.#log = new ImportLog(options)
    const { format = 'auto' } = options
    if (format !== 'auto') this.#choose(formatNamed(format))
  }

  /** Whether a value is a record of the format, or of any format while it is unknown. */
  readonly isRecord = (value: unknown): boolean =>
    this.#format === undefined ? findFormat(value) !== undefined : this.#format.recognizes(value)

  async take(record: ForeignRecord): Promise<void> {
    if (this.#format === undefined) {
      const format = 'value' in record ? findFormat(record.value) : undefined
      if (format === undefined) {
        this.#unrecognized.push(record)
        if (this.#unrecognized.length > MAX_UNRECOGNIZED_RECORDS) throw this.#unknown()
        return
      }
      this.#choose(format)
      for (const earlier of this.#unrecognized.splice(0)) await this.#read(earlier, format)
    }
    await this.#read(record, this.#format as ForeignFormat)
  }

  /** Writes everything received so far. */
  async flush(): Promise<void> {
    for (const part of this.#loose.takeParts()) await this.#add(part, `conversation "${part.id}"`, 0)
    await this.#writeBatch()
  }

  async end(): Promise<Imported> {
    if (this.#format === undefined && this.#unrecognized.length > 0) throw this.#unknown()
    await this.flush()
    for (const { name, facts } of this.#repeated.values()) await this.#keepFacts(facts, name)
    return this.#log.imported
  }

  #choose(format: ForeignFormat): void {
    this.#format = format
    this.#log.format = format.name
  }

  #unknown(): MemoryError {
    const [first] = this.#unrecognized
    return unknownFormat(first !== undefined && 'problem' in first ? first.problem : undefined)
  }

  async #read(record: ForeignRecord, format: ForeignFormat): Promise<void> {
    const place = describePlace(record.place, format.noun, 'problem' in record)
    if ('problem' in record) {
      this.#log.skip(place, record.problem)
      return
    }
    const { value, text } = record
    const foreign = this.#attempt(place, () => format.read(value, text))
    if (foreign !== undefined) await this.#takeForeign(foreign, text, place)
  }

  #attempt<T>(place: string, read: () => T): T | undefined {
    try {
      return read()
    } catch (error) {
      this.#log.skip(place, reasonToSkip(error))
      return undefined
    }
  }

  async #takeForeign(foreign: Foreign, text: string, place: string): Promise<void> {
    if (foreign.kind === 'facts') await this.#keepFacts(foreign.facts, place)
    else if (foreign.kind === 'conversation') {
      await this.#add(foreign, place, text.length)
      await this.#keepFacts(foreign.facts ?? [], place)
      for (const repeated of foreign.repeated ?? []) this.#noteRepeated(repeated)
    } else {
      for (const part of this.#loose.add(foreign, text)) await this.#add(part, `conversation "${part.id}"`, 0)
    }
  }

  #noteRepeated(repeated: RepeatedFacts): void {
    const latest = this.#repeated.get(repeated.name)
    if (latest === undefined || latest.at <= repeated.at) this.#repeated.set(repeated.name, repeated)
  }

  async #keepFacts(facts: readonly ForeignFact[], place: string): Promise<void> {
    const { dryRun: isDryRun = false } = this.#options
    for (const fact of facts) {
      const outcome = await this.#target.keepFact(fact, { isDryRun }).catch(reasonToSkip)
      if (outcome === 'new') this.#log.add({ facts: 1 })
      else if (outcome === 'known') this.#log.add({ known: 1 })
      else this.#log.skip(place, outcome)
    }
    this.#log.showProgress()
  }

  async #add(foreign: ForeignConversation, place: string, characters: number): Promise<void> {
    for (const problem of foreign.problems) this.#report(problem, place)
    if (this.#batch.has(foreign.id)) await this.#writeBatch()
    this.#batch.set(foreign.id, { foreign, place })
    this.#batchSize.messages += countMessages(foreign)
    this.#batchSize.characters += characters
    const isFull =
      this.#batch.size >= BATCH_LIMITS.conversations ||
      this.#batchSize.messages >= BATCH_LIMITS.messages ||
      this.#batchSize.characters >= BATCH_LIMITS.characters
    if (isFull) await this.#writeBatch()
  }

  #report(problem: ForeignConversation['problems'][number], record: string): void {
    if (problem.isOnce === true && this.#reported.has(problem.reason)) {
      this.#log.add({ skipped: problem.isSkipped ? 1 : 0 })
      return
    }
    if (problem.isOnce === true) this.#reported.add(problem.reason)
    const { place, reason, isSkipped } = problem
    this.#log.report({ place: place === '' ? record : `${record}, ${place}`, reason, isSkipped })
  }

  /** Writes concurrently, so that conversations share a commit; reports in order. */
  async #writeBatch(): Promise<void> {
    const group = [...this.#batch.values()]
    this.#batch = new Map()
    this.#batchSize = { messages: 0, characters: 0 }
    const outcomes = await Promise.allSettled(group.map((waiting) => this.#place(waiting)))
    for (const [i, outcome] of outcomes.entries()) {
      if (outcome.status === 'rejected') throw outcome.reason
      this.#reportPlaced(group[i] as Waiting, outcome.value)
    }
    if (group.length > 0) this.#log.showProgress()
  }

  #reportPlaced({ foreign, place }: Waiting, placed: Placed | string): void {
    if (typeof placed === 'string') {
      this.#log.skip(place, placed)
      return
    }
    const { report, problems, end } = placed
    const { messages, known, forks, isNew } = report
    this.#log.add({ messages, known, forks, conversations: isNew ? 1 : 0 })
    for (const problem of problems) this.#log.report(problem)
    if (end !== undefined && foreign.isPart === true) this.#ends.set(foreign.id, end)
    this.#options.onConversation?.(report)
  }

  /** Returns the reason if the conversation has to be skipped. */
  async #place({ foreign, place }: Waiting): Promise<Placed | string> {
    const { dryRun: isDryRun = false, branches = 'forks' } = this.#options
    const { name: format } = this.#format as ForeignFormat
    if (isDryRun && this.#isRepeated(foreign)) return this.#toKnown(foreign, format)
    const parts = { deps: this.#target, door: this.#door, format, isDryRun, branches }
    const start = foreign.continues === undefined ? undefined : this.#ends.get(foreign.id)
    const request = { foreign, place, ...(start !== undefined && { start }) }
    return placeConversation(parts, request).catch(reasonToSkip)
  }

  #toKnown(foreign: ForeignConversation, format: ImportFormat): Placed {
    const id = toConversationId(format, foreign.id, this.#target.limits)
    const counts = { isNew: false, messages: 0, known: countMessages(foreign), forks: 0, skipped: 0 }
    return { report: { id, ...counts }, problems: [] }
  }

  /** In a real run, its messages would be found in the store. */
  #isRepeated({ id, continues }: ForeignConversation): boolean {
    if (continues !== undefined) return false
    const isRepeated = this.#seen.has(id)
    this.#seen.add(id)
    return isRepeated
  }
}

function countMessages({ messages, branches }: ForeignConversation): number {
  return branches.reduce((sum, branch) => sum + branch.messages.length, messages.length)
}

function describePlace({ number, line, offset }: RecordPlace, noun: string, isBroken: boolean): string {
  if (line !== undefined) return `line ${line}`
  return isBroken && offset !== undefined ? `${noun} ${number} (byte ${offset})` : `${noun} ${number}`
}

interface LooseConversation {
  readonly id: string
  /** The last message of the part returned before. */
  continues?: string
  messages: ForeignMessage[]
  /** Over all its messages so far: the id of a message depends on those before it. */
  readonly digest: Digest
}

/** When this many messages are held, all conversations are written. */
const MAX_HELD_MESSAGES = 1000

/**
 * Groups single messages into conversations. The id of a message is a digest of all messages up to it, so a file that
 * was appended to keeps its earlier ids.
 */
class LooseMessages {
  readonly #conversations = new Map<string, LooseConversation>()
  #held = 0

  /** Returns parts of conversations when enough messages are held. */
  add({ conversationId, message }: LooseMessage, text: string): readonly ForeignConversation[] {
    const conversation = this.#find(conversationId, text)
    conversation.messages.push({ ...message, id: conversation.digest.add(text).toString() })
    this.#held += 1
    return this.#held < MAX_HELD_MESSAGES ? [] : this.takeParts()
  }

  takeParts(): readonly ForeignConversation[] {
    this.#held = 0
    const parts = [...this.#conversations.values()].filter(({ messages }) => messages.length > 0).map(toPart)
    for (const conversation of this.#conversations.values()) {
      const last = conversation.messages.at(-1)?.id
      if (last !== undefined) conversation.continues = last
      conversation.messages = []
    }
    return parts
  }

  /** A conversation without an id is identified by its first message. */
  #find(conversationId: string | undefined, text: string): LooseConversation {
    const key = conversationId ?? ''
    const found = this.#conversations.get(key)
    if (found !== undefined) return found
    const id = conversationId ?? new Digest().add(text).toString()
    const conversation = { id, messages: [], digest: new Digest() }
    this.#conversations.set(key, conversation)
    return conversation
  }
}

function toPart({ id, continues, messages }: LooseConversation): ForeignConversation {
  return {
    kind: 'conversation',
    id,
    isPart: true,
    messages,
    branches: [],
    problems: [],
    ...(continues !== undefined && { continues }),
  }
}
