// Decides where the messages of an imported conversation go. Conversations are append-only, so one rule covers the first
// import and every later one, when the export has grown or its current branch has changed:
//
//   - a message that is already stored stays where it is;
//   - any other is appended to the conversation with the message before it, if that is the last one there; otherwise
//     it starts a fork at the message before it.
//
// The current branch is placed first and becomes the conversation. If another branch has become the current one since,
// it continues in its fork, and a problem is reported.

import type { ConversationId, MessageId } from '../../../domain/ids.ts'
import type { AcceptedMessage } from '../../../store/store.ts'
import type { ForeignBranch, ForeignMessage } from '../foreign/foreign.ts'

/** Where a message is stored. */
export interface Location {
  readonly conversation: ConversationId
  readonly position: number
  readonly id: MessageId
  readonly createdAt: Date
}

/** One write: create, fork or continue a conversation, then append the messages. */
export interface PlacingStep {
  readonly kind: 'create' | 'append' | 'fork' | 'begin'
  readonly conversation: ConversationId
  /** The fork point, for a fork or a conversation too large to copy. */
  readonly from?: Location
  readonly messages: AcceptedMessage[]
}

/** Lookups and validation for the planner. */
export interface PlacingTools {
  readonly main: ConversationId
  readonly branches: 'forks' | 'none'
  /** The last message of the previous part of the conversation. */
  readonly start?: { readonly id: string; readonly place: Location }
  /** Where the message is stored, if it is. */
  find(message: ForeignMessage): Promise<Location | undefined>
  /** The number of messages; undefined if there is no such conversation. */
  length(conversation: ConversationId): Promise<number | undefined>
  forkId(first: ForeignMessage): ConversationId
  /** Undefined if it is invalid. */
  accept(message: ForeignMessage, before: Location | undefined): AcceptedMessage | undefined
}

export interface Plan {
  readonly steps: readonly PlacingStep[]
  readonly known: number
  /** Where the current branch ends. */
  readonly end?: Location
}

/** Forks copy the messages before them. Beyond this budget they only reference the fork point. */
const MAX_COPIES_PER_MESSAGE = 50
const MIN_COPY_BUDGET = 10_000

/** The current branch first. */
export async function planPlacing(branches: readonly ForeignBranch[], tools: PlacingTools): Promise<Plan> {
  const planner = new Planner(tools, branches)
  const [current, ...others] = branches
  const end = current === undefined ? undefined : await planner.place(current)
  if (tools.branches === 'forks') for (const branch of others) await planner.place(branch)
  return { steps: planner.steps, known: planner.known, ...(end !== undefined && { end }) }
}

class Planner {
  readonly steps: PlacingStep[] = []
  known = 0
  readonly #tools: PlacingTools
  /** By conversation: the step that its new messages join. */
  readonly #open = new Map<ConversationId, PlacingStep>()
  readonly #lengths = new Map<ConversationId, number>()
  readonly #places = new Map<string, Location | undefined>()
  #copiesLeft: number

  constructor(tools: PlacingTools, branches: readonly ForeignBranch[]) {
    this.#tools = tools
    const messages = branches.reduce((sum, branch) => sum + branch.messages.length, 0)
    this.#copiesLeft = Math.max(MIN_COPY_BUDGET, messages * MAX_COPIES_PER_MESSAGE)
    if (tools.start !== undefined) this.#places.set(tools.start.id, tools.start.place)
  }

  /** Returns where the branch ends. */
  async place({ after, messages }: ForeignBranch): Promise<Location | undefined> {
    let before = after === undefined ? undefined : this.#places.get(after)
    for (const message of messages) {
      before = await this.#placeOne(message, before)
      this.#places.set(message.id, before)
    }
    return before
  }

  async #placeOne(message: ForeignMessage, before: Location | undefined): Promise<Location | undefined> {
    const found = await this.#tools.find(message)
    if (found !== undefined) {
      this.known += 1
      return found
    }
    const accepted = this.#tools.accept(message, before)
    // Messages after a skipped one continue from the message before it.
    if (accepted === undefined) return before
    const step = await this.#stepFor(message, before)
    step.messages.push(accepted)
    const position = await this.#lengthOf(step.conversation)
    this.#lengths.set(step.conversation, position + 1)
    const { id, createdAt } = accepted
    return { conversation: step.conversation, position, id, createdAt }
  }

  async #stepFor(message: ForeignMessage, before: Location | undefined): Promise<PlacingStep> {
    const { main } = this.#tools
    if (before === undefined && (await this.#lengthOf(main)) === 0) return this.#continue(main, 'create')
    if (before !== undefined && before.position === (await this.#lengthOf(before.conversation)) - 1)
      return this.#continue(before.conversation, 'append')
    const into = this.#tools.forkId(message)
    // An earlier import was interrupted between creating the fork and its first message.
    if ((await this.#tools.length(into)) !== undefined) return this.#continue(into, 'append')
    return this.#fork(into, before)
  }

  #continue(conversation: ConversationId, kind: 'create' | 'append'): PlacingStep {
    return this.#open.get(conversation) ?? this.#add({ kind, conversation, messages: [] })
  }

  #fork(conversation: ConversationId, from: Location | undefined): PlacingStep {
    const copies = from === undefined ? 0 : from.position + 1
    const canCopy = from !== undefined && copies <= this.#copiesLeft
    if (canCopy) this.#copiesLeft -= copies
    this.#lengths.set(conversation, canCopy ? copies : 0)
    const kind = canCopy ? 'fork' : 'begin'
    return this.#add({ kind, conversation, messages: [], ...(from !== undefined && { from }) })
  }

  #add(step: PlacingStep): PlacingStep {
    this.steps.push(step)
    this.#open.set(step.conversation, step)
    return step
  }

  async #lengthOf(conversation: ConversationId): Promise<number> {
    const known = this.#lengths.get(conversation)
    if (known !== undefined) return known
    const length = (await this.#tools.length(conversation)) ?? 0
    this.#lengths.set(conversation, length)
    return length
  }
}
