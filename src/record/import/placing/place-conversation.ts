// Merges one imported conversation into the store. A new conversation is written without looking up its messages first;
// if that fails with a conflict, it is planned again with lookups. A dry run makes the same plan and does not write it.

import { definedFields } from '../../../domain/defined-fields.ts'
import { isMemoryError } from '../../../domain/errors.ts'
import type { ConversationId } from '../../../domain/ids.ts'
import type { Content } from '../../../domain/message.ts'
import type { AcceptedMessage } from '../../../store/store.ts'
import { acceptMessage } from '../../accept-message.ts'
import type { ForeignBranch, ForeignConversation, ForeignMessage } from '../foreign/foreign.ts'
import type { ImportedConversation, ImportProblem } from '../imported.ts'
import { reasonToSkip } from '../imported.ts'
import { type Location, type PlacingTools, type Plan, planPlacing } from './plan-placing.ts'
import { isDeeperThan, prepareMessage, toConversationId, toForkId, toMessageId } from './prepare-message.ts'
import type { PlacingParts } from './write-steps.ts'
import { StepWriter } from './write-steps.ts'

export interface PlacingRequest {
  readonly foreign: ForeignConversation
  /** `conversation 17`. */
  readonly place: string
  /** Where the previous part ended. */
  readonly start?: Location
}

export interface Placed {
  readonly report: ImportedConversation
  readonly problems: readonly ImportProblem[]
  /** Where the current branch ends. */
  readonly end?: Location
}

export function placeConversation(parts: PlacingParts, request: PlacingRequest): Promise<Placed> {
  return new Placing(parts, request).run()
}

class Placing {
  readonly #parts: PlacingParts
  readonly #request: PlacingRequest
  readonly #branches: readonly ForeignBranch[]
  readonly #main: ConversationId
  readonly #writer: StepWriter
  /** Of the current attempt. */
  #problems: ImportProblem[] = []
  #numbers: ReadonlyMap<string, number> | undefined

  constructor(parts: PlacingParts, request: PlacingRequest) {
    const { continues, messages, branches, id } = request.foreign
    this.#parts = parts
    this.#request = request
    this.#branches = [{ ...definedFields({ after: continues }), messages }, ...branches]
    this.#main = toConversationId(parts.format, id, parts.deps.limits)
    this.#writer = new StepWriter(parts, request.foreign)
  }

  async run(): Promise<Placed> {
    const { store, workspace } = this.#parts.deps
    const there = await store.findConversation({ workspace, conversation: this.#main })
    const isThere = there !== undefined
    const plan = await this.#place(isThere)
    const { forks, created, messages } = this.#writer.counts
    const known = plan.known - this.#writer.addedBefore
    const skipped = this.#problems.filter(({ isSkipped }) => isSkipped).length
    if (isThere && messages > 0) this.#reportMovedBranch(plan)
    const { title, createdAt } = this.#request.foreign
    const counts = { isNew: created > 0, messages, known, forks, skipped }
    const report = { id: this.#main, ...definedFields({ title, createdAt }), ...counts }
    return { report, problems: this.#problems, ...definedFields({ end: plan.end }) }
  }

  async #place(withLookups: boolean): Promise<Plan> {
    try {
      return await this.#attempt(withLookups)
    } catch (error) {
      if (withLookups || !isMemoryError(error) || error.code !== 'conflict') throw error
      return this.#attempt(true)
    }
  }

  async #attempt(withLookups: boolean): Promise<Plan> {
    this.#problems = []
    this.#writer.begin()
    const plan = await planPlacing(this.#branches, this.#tools(withLookups))
    for (const step of plan.steps) await this.#writer.write(step)
    return plan
  }

  #tools(withLookups: boolean): PlacingTools {
    const { deps, branches } = this.#parts
    const { foreign, start } = this.#request
    const id = foreign.continues
    return {
      main: this.#main,
      branches,
      ...(start !== undefined && id !== undefined && { start: { id, place: start } }),
      find: async (message) => (withLookups ? this.#find(message) : undefined),
      length: (conversation) => this.#lengthOf(conversation),
      forkId: (first) => toForkId(this.#main, first.id, deps.limits),
      accept: (message, before) => this.#accept(message, before),
    }
  }

  async #lengthOf(conversation: ConversationId): Promise<number | undefined> {
    const { store, workspace } = this.#parts.deps
    const { start } = this.#request
    const kept = (await store.findConversation({ workspace, conversation }))?.messageCount
    if (start?.conversation !== conversation) return kept
    // In a dry run, earlier parts are not in the store.
    return Math.max(kept ?? 0, start.position + 1)
  }

  async #find(message: ForeignMessage): Promise<Location | undefined> {
    const { store, workspace, limits } = this.#parts.deps
    const id = toMessageId(this.#main, message.id, limits)
    const found = await store.findMessage(workspace, id)
    if (found === undefined) return undefined
    const isReadable = found.erasedAt === undefined && found.isDamaged === undefined
    const said = this.#prepare(message, found.createdAt).message.content
    if (isReadable && !isSame(found.content, said, limits.depth))
      this.#note(message, 'its text differs from the version imported earlier; the stored version is kept')
    return { conversation: found.conversationId, position: found.position, id, createdAt: found.createdAt }
  }

  #accept(message: ForeignMessage, before: Location | undefined): AcceptedMessage | undefined {
    const { door, deps } = this.#parts
    const time = before?.createdAt ?? this.#writer.createdAt ?? door.now
    const prepared = this.#prepare(message, time)
    for (const change of prepared.changes) this.#note(message, change)
    try {
      const id = toMessageId(this.#main, message.id, deps.limits)
      return acceptMessage({ ...prepared.message, id }, door)
    } catch (error) {
      this.#problems.push({ place: this.#placeOf(message), reason: reasonToSkip(error), isSkipped: true })
      return undefined
    }
  }

  #prepare(message: ForeignMessage, time: Date) {
    const { limits, now } = this.#parts.door
    return prepareMessage(message, { limits, now, time })
  }

  #note(message: ForeignMessage, reason: string): void {
    this.#problems.push({ place: this.#placeOf(message), reason, isSkipped: false })
  }

  #placeOf({ id }: ForeignMessage): string {
    this.#numbers ??= new Map(
      this.#branches.flatMap(({ messages }) => messages).map((one, i) => [one.id, i + 1]),
    )
    return `${this.#request.place}, message ${this.#numbers.get(id) ?? '?'}`
  }

  /** Stored messages cannot be reordered. */
  #reportMovedBranch({ end }: Plan): void {
    if (end === undefined || end.conversation === this.#main) return
    const reason = `its current branch continues in the fork "${end.conversation}"`
    this.#problems.push({ place: this.#request.place, reason, isSkipped: false })
  }
}

/** Content that is nested too deeply was never stored. */
function isSame(kept: Content, said: Content, depth: number): boolean {
  if (typeof kept === 'string' || typeof said === 'string') return kept === said
  return !isDeeperThan(said, depth + 2) && JSON.stringify(kept) === JSON.stringify(said)
}
