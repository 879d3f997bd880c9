// One foreign conversation into the record. A conversation that is not here yet is written without looking for
// its messages first; where it turns out that some of them are here after all, it is gone through again with
// care. A dry run makes the same plan and stops before writing.

import { definedFields } from '../../../domain/defined-fields.ts'
import { isMemoryError } from '../../../domain/errors.ts'
import type { ConversationId } from '../../../domain/ids.ts'
import type { Content } from '../../../domain/message.ts'
import type { AcceptedMessage } from '../../../store/store.ts'
import { acceptMessage } from '../../accept-message.ts'
import type { ForeignBranch, ForeignConversation, ForeignMessage } from '../foreign/foreign.ts'
import { reasonToSkip } from '../import-log.ts'
import type { ImportedConversation, ImportProblem } from '../imported.ts'
import { toConversationId, toForkId, toMessageId } from './foreign-ids.ts'
import type { PlacingParts } from './placing-parts.ts'
import { type Location, type PlacingTools, type Plan, planPlacing } from './plan-placing.ts'
import { nests, prepareMessage } from './prepare-message.ts'
import { StepWriter } from './write-steps.ts'

export interface PlacingRequest {
  readonly foreign: ForeignConversation
  /** `conversation 17`. */
  readonly place: string
  /** Where the part before this one ended. */
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
  /** Of the attempt at hand: the last one counts. */
  #problems: ImportProblem[] = []
  #numbers: ReadonlyMap<string, number> | undefined

  constructor(parts: PlacingParts, request: PlacingRequest) {
    const { continues, messages, branches, id } = request.foreign
    this.#parts = parts
    this.#request = request
    this.#branches = [{ ...definedFields({ after: continues }), messages }, ...branches]
    this.#main = toConversationId(parts.format, id, parts.recorder.limits)
    this.#writer = new StepWriter(parts, request.foreign)
  }

  async run(): Promise<Placed> {
    const { store, workspace } = this.#parts.recorder
    const there = await store.findConversation({ workspace, conversation: this.#main })
    const isThere = there !== undefined
    const plan = await this.#place(isThere)
    const { forks, created, messages } = this.#writer.counts
    const known = plan.known - this.#writer.addedBefore
    const skipped = this.#problems.filter(({ isSkipped }) => isSkipped).length
    if (isThere && messages > 0) this.#tellMoved(plan)
    const { title, createdAt } = this.#request.foreign
    const counts = { isNew: created > 0, messages, known, forks, skipped }
    const report = { id: this.#main, ...definedFields({ title, createdAt }), ...counts }
    return { report, problems: this.#problems, ...definedFields({ end: plan.end }) }
  }

  async #place(isCareful: boolean): Promise<Plan> {
    try {
      return await this.#attempt(isCareful)
    } catch (error) {
      if (isCareful || !isMemoryError(error) || error.code !== 'conflict') throw error
      return this.#attempt(true)
    }
  }

  async #attempt(isCareful: boolean): Promise<Plan> {
    this.#problems = []
    this.#writer.begin()
    const plan = await planPlacing(this.#branches, this.#tools(isCareful))
    for (const step of plan.steps) await this.#writer.write(step)
    return plan
  }

  #tools(isCareful: boolean): PlacingTools {
    const { recorder, branches } = this.#parts
    const { foreign, start } = this.#request
    const id = foreign.continues
    return {
      main: this.#main,
      branches,
      ...(start !== undefined && id !== undefined && { start: { id, place: start } }),
      find: async (message) => (isCareful ? this.#find(message) : undefined),
      length: (conversation) => this.#lengthOf(conversation),
      forkId: (first) => toForkId(this.#main, first.id, recorder.limits),
      accept: (message, before) => this.#accept(message, before),
    }
  }

  async #lengthOf(conversation: ConversationId): Promise<number | undefined> {
    const { store, workspace } = this.#parts.recorder
    const { start } = this.#request
    const kept = (await store.findConversation({ workspace, conversation }))?.messageCount
    if (start?.conversation !== conversation) return kept
    // What a dry run would have written before is nowhere but here.
    return Math.max(kept ?? 0, start.position + 1)
  }

  async #find(message: ForeignMessage): Promise<Location | undefined> {
    const { store, workspace, limits } = this.#parts.recorder
    const id = toMessageId(this.#main, message.id, limits)
    const found = await store.findMessage(workspace, id)
    if (found === undefined) return undefined
    const isReadable = found.erasedAt === undefined && found.isDamaged === undefined
    const said = this.#prepare(message, found.createdAt).message.content
    if (isReadable && !isSame(found.content, said, limits.depth))
      this.#note(message, 'it says something else than when it first came; what is kept stays as it is')
    return { conversation: found.conversationId, position: found.position, id, createdAt: found.createdAt }
  }

  #accept(message: ForeignMessage, before: Location | undefined): AcceptedMessage | undefined {
    const { door, recorder } = this.#parts
    const time = before?.createdAt ?? this.#writer.createdAt ?? door.now
    const prepared = this.#prepare(message, time)
    for (const change of prepared.changes) this.#note(message, change)
    try {
      const id = toMessageId(this.#main, message.id, recorder.limits)
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

  /** The record cannot be put in another order. */
  #tellMoved({ end }: Plan): void {
    if (end === undefined || end.conversation === this.#main) return
    const reason = `its current branch goes on in the fork "${end.conversation}"`
    this.#problems.push({ place: this.#request.place, reason, isSkipped: false })
  }
}

/** What is nested too deeply was never kept. */
function isSame(kept: Content, said: Content, depth: number): boolean {
  if (typeof kept === 'string' || typeof said === 'string') return kept === said
  return !nests(said, depth + 2) && JSON.stringify(kept) === JSON.stringify(said)
}
