// Where the messages of a foreign conversation go. The record only grows at ends, so that there is one rule for
// the first import and for every later one, when the export has grown or its current branch has changed:
//
//   - a message that is here already stays where it is;
//   - any other goes to the end of the conversation that has the message before it, if that one is the last
//     there; otherwise it begins a fork, at the message before it.
//
// The current branch goes first, and so becomes the conversation. When another branch has become the current
// one since, it goes on in its fork, and the caller is told.

import type { ConversationId, MessageId } from '../../../domain/ids.ts'
import type { AcceptedMessage } from '../../../store/store.ts'
import type { ForeignBranch, ForeignMessage } from '../foreign/foreign.ts'

/** Where a message stands. */
export interface Location {
  readonly conversation: ConversationId
  readonly position: number
  readonly id: MessageId
  readonly createdAt: Date
}

/** What is written, in this order: a conversation is begun or forked or gone on with, then the messages come. */
export interface PlacingStep {
  readonly kind: 'create' | 'append' | 'fork' | 'begin'
  readonly conversation: ConversationId
  /** For a fork, or a conversation that should be one. */
  readonly from?: Location
  readonly messages: AcceptedMessage[]
}

/** What a plan is made with. */
export interface PlacingTools {
  readonly main: ConversationId
  readonly branches: 'forks' | 'none'
  /** A message of an earlier part of the conversation, which this part goes on from. */
  readonly start?: { readonly id: string; readonly place: Location }
  /** Where the message is, if it is here. */
  find(message: ForeignMessage): Promise<Location | undefined>
  /** How many messages a conversation has; undefined where there is none. */
  length(conversation: ConversationId): Promise<number | undefined>
  forkId(first: ForeignMessage): ConversationId
  /** Undefined where it cannot come in. */
  accept(message: ForeignMessage, before: Location | undefined): AcceptedMessage | undefined
}

export interface Plan {
  readonly steps: readonly PlacingStep[]
  readonly known: number
  /** Where the current branch ends. */
  readonly end?: Location
}

/** Forks copy what is before them. Beyond so many copies for each message, they only name what they go on from. */
const MOST_COPIES_EACH = 50
const LEAST_COPIES = 10_000

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
    this.#copiesLeft = Math.max(LEAST_COPIES, messages * MOST_COPIES_EACH)
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
    // What comes after a message that was left out goes on from the one before it.
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
    if (before === undefined && (await this.#lengthOf(main)) === 0) return this.#goOn(main, 'create')
    if (before !== undefined && before.position === (await this.#lengthOf(before.conversation)) - 1)
      return this.#goOn(before.conversation, 'append')
    const into = this.#tools.forkId(message)
    // There already: an import was interrupted between making the fork and its first message.
    if ((await this.#tools.length(into)) !== undefined) return this.#goOn(into, 'append')
    return this.#fork(into, before)
  }

  #goOn(conversation: ConversationId, kind: 'create' | 'append'): PlacingStep {
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
