// Chats of other programs. Each record is read by its format into a neutral form (formats/, foreign/) and put in
// its place (placing/). Conversations are written some at a time, so that they share commits; a record that
// cannot be read, and a message that does not pass the door, is reported with its place and left out.

import type { MemoryError } from '../../domain/errors.ts'
import type { DoorRules } from '../accept-message.ts'
import type { WorkspaceDeps } from '../record.ts'
import type { ForeignRecord, RecordPlace } from './envelope/read-records.ts'
import type { Foreign, ForeignConversation, ForeignFact, ForeignFormat } from './foreign/foreign.ts'
import { LooseMessages } from './foreign/join-loose.ts'
import { findFormat, formatNamed, unknownFormat } from './formats/formats.ts'
import { ImportLog, reasonToSkip } from './import-log.ts'
import type { Imported, ImportFormat, ImportOptions } from './imported.ts'
import { toConversationId } from './placing/foreign-ids.ts'
import { type Placed, placeConversation } from './placing/place-conversation.ts'
import type { Location } from './placing/plan-placing.ts'

/** What an import needs beside what recording needs. */
export interface ImportTarget extends WorkspaceDeps {
  /** Keeps a statement of another memory. */
  readonly keepFact: (fact: ForeignFact, options: { readonly isDryRun: boolean }) => Promise<'new' | 'known'>
}

/** So much is written together: enough to share a commit, and little to hold in memory. */
const GROUP = { conversations: 250, messages: 2000, characters: 8_000_000 } as const
/** So many records may go by before one is recognized. */
const MOST_UNDECIDED = 100

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
  #undecided: ForeignRecord[] = []
  readonly #loose = new LooseMessages()
  #group = new Map<string, Waiting>()
  #grouped = { messages: 0, characters: 0 }
  readonly #reported = new Set<string>()
  /** In a dry run nothing is written that would tell it. */
  readonly #seen = new Set<string>()
  readonly #ends = new Map<string, Location>()

  constructor(target: ImportTarget, door: DoorRules, options: ImportOptions) {
    this.#target = target
    this.#options = options
    this.#door = door
    this.#log = new ImportLog(options)
    const { format = 'auto' } = options
    if (format !== 'auto') this.#choose(formatNamed(format))
  }

  /** Whether a value is a record of the format, or of any while that is not known. */
  readonly isRecord = (value: unknown): boolean =>
    this.#format === undefined ? findFormat(value) !== undefined : this.#format.recognizes(value)

  async take(record: ForeignRecord): Promise<void> {
    if (this.#format === undefined) {
      const format = 'value' in record ? findFormat(record.value) : undefined
      if (format === undefined) {
        this.#undecided.push(record)
        if (this.#undecided.length > MOST_UNDECIDED) throw this.#unknown()
        return
      }
      this.#choose(format)
      for (const earlier of this.#undecided.splice(0)) await this.#read(earlier, format)
    }
    await this.#read(record, this.#format as ForeignFormat)
  }

  /** Writes what has come so far: it may take long until more comes. */
  async rest(): Promise<void> {
    for (const part of this.#loose.handOut()) await this.#add(part, `conversation "${part.id}"`, 0)
    await this.#flush()
  }

  async end(): Promise<Imported> {
    if (this.#format === undefined && this.#undecided.length > 0) throw this.#unknown()
    await this.rest()
    return this.#log.imported
  }

  #choose(format: ForeignFormat): void {
    this.#format = format
    this.#log.format = format.name
  }

  #unknown(): MemoryError {
    const [first] = this.#undecided
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
    else if (foreign.kind === 'conversation') await this.#add(foreign, place, text.length)
    else {
      for (const part of this.#loose.add(foreign, text)) await this.#add(part, `conversation "${part.id}"`, 0)
    }
  }

  async #keepFacts(facts: readonly ForeignFact[], place: string): Promise<void> {
    const { isDryRun = false } = this.#options
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
    if (this.#group.has(foreign.id)) await this.#flush()
    this.#group.set(foreign.id, { foreign, place })
    this.#grouped.messages += countMessages(foreign)
    this.#grouped.characters += characters
    const isFull =
      this.#group.size >= GROUP.conversations ||
      this.#grouped.messages >= GROUP.messages ||
      this.#grouped.characters >= GROUP.characters
    if (isFull) await this.#flush()
  }

  #report(problem: ForeignConversation['problems'][number], record: string): void {
    if (problem.isOnce === true && this.#reported.has(problem.reason)) {
      this.#log.add({ skipped: problem.isSkipped ? 1 : 0 })
      return
    }
    if (problem.isOnce === true) this.#reported.add(problem.reason)
    const { place, reason, isSkipped } = problem
    this.#log.tell({ place: place === '' ? record : `${record}, ${place}`, reason, isSkipped })
  }

  /** At the same time, so that writes of different conversations share a commit; told in their order. */
  async #flush(): Promise<void> {
    const group = [...this.#group.values()]
    this.#group = new Map()
    this.#grouped = { messages: 0, characters: 0 }
    const outcomes = await Promise.allSettled(group.map((waiting) => this.#place(waiting)))
    for (const [i, outcome] of outcomes.entries()) {
      if (outcome.status === 'rejected') throw outcome.reason
      this.#tell(group[i] as Waiting, outcome.value)
    }
    if (group.length > 0) this.#log.showProgress()
  }

  #tell({ foreign, place }: Waiting, placed: Placed | string): void {
    if (typeof placed === 'string') {
      this.#log.skip(place, placed)
      return
    }
    const { report, problems, end } = placed
    const { messages, known, forks, isNew } = report
    this.#log.add({ messages, known, forks, conversations: isNew ? 1 : 0 })
    for (const problem of problems) this.#log.tell(problem)
    if (end !== undefined && foreign.isPart === true) this.#ends.set(foreign.id, end)
    this.#options.onConversation?.(report)
  }

  /** Why it cannot come in, where it cannot. */
  async #place({ foreign, place }: Waiting): Promise<Placed | string> {
    const { isDryRun = false, branches = 'forks' } = this.#options
    const { name: format } = this.#format as ForeignFormat
    if (isDryRun && this.#isRepeated(foreign)) return this.#toKnown(foreign, format)
    const parts = { recorder: this.#target, door: this.#door, format, isDryRun, branches }
    const start = foreign.continues === undefined ? undefined : this.#ends.get(foreign.id)
    const request = { foreign, place, ...(start !== undefined && { start }) }
    return placeConversation(parts, request).catch(reasonToSkip)
  }

  #toKnown(foreign: ForeignConversation, format: ImportFormat): Placed {
    const id = toConversationId(format, foreign.id, this.#target.limits)
    const counts = { isNew: false, messages: 0, known: countMessages(foreign), forks: 0, skipped: 0 }
    return { report: { id, ...counts }, problems: [] }
  }

  /** In a real run, its messages would be found by then. */
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
