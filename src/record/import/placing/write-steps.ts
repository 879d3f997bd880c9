import { definedFields } from '../../../domain/defined-fields.ts'
import { messageId, newId } from '../../../domain/ids.ts'
import type { ConversationChanges } from '../../../schemas/conversation.ts'
import type { ConversationFields, ConversationKey } from '../../../store/store.ts'
import { acceptChanges } from '../../accept.ts'
import type { DoorRules } from '../../accept-message.ts'
import { makeTitle } from '../../make-title.ts'
import type { WorkspaceDeps } from '../../record.ts'
import type { ForeignConversation } from '../foreign/foreign.ts'
import type { ImportFormat } from '../imported.ts'
import type { PlacingStep } from './plan-placing.ts'
import { fitMetadata, isPlausible, toLine } from './prepare-message.ts'

/** Tag of conversations that were imported as branches. */
const BRANCH_TAG = 'branch'

/** Executes the steps of a plan, or only counts them in a dry run. */
export class StepWriter {
  readonly counts: { created: number; forks: number; messages: number } = {
    created: 0,
    forks: 0,
    messages: 0,
  }
  /** When the conversation started, if known and plausible. */
  readonly createdAt: Date | undefined
  /** Messages that an earlier attempt wrote. */
  addedBefore = 0
  readonly #parts: PlacingParts
  readonly #foreign: ForeignConversation

  constructor(parts: PlacingParts, foreign: ForeignConversation) {
    this.#parts = parts
    this.#foreign = foreign
    const { createdAt } = foreign
    this.createdAt = createdAt !== undefined && isPlausible(createdAt, parts.door) ? createdAt : undefined
  }

  /** Another attempt. */
  begin(): void {
    this.addedBefore = this.counts.messages
  }

  async write(step: PlacingStep): Promise<void> {
    const { deps, isDryRun } = this.#parts
    const key = { workspace: deps.workspace, conversation: step.conversation }
    if (step.kind === 'create') await this.#create(key, step)
    if (step.kind === 'fork' || step.kind === 'begin') await this.#fork(key, step)
    if (isDryRun) this.counts.messages += step.messages.length
    else await this.#append(key, step)
  }

  async #create(key: ConversationKey, step: PlacingStep): Promise<void> {
    const { deps, isDryRun } = this.#parts
    const isThere = (await deps.store.findConversation(key)) !== undefined
    if (isThere) return
    this.counts.created += 1
    if (isDryRun) return
    const createdAt = this.createdAt ?? firstTime(step)
    await deps.store.createConversation({ ...key, fields: this.#fields(), createdAt })
  }

  async #fork(key: ConversationKey, step: PlacingStep): Promise<void> {
    const { deps, isDryRun, door } = this.#parts
    const { from } = step
    this.counts.forks += 1
    if (isDryRun) return
    const fields = this.#fieldsOfFork()
    const createdAt = firstTime(step)
    if (step.kind === 'fork' && from !== undefined) {
      const at = { workspace: key.workspace, conversation: from.conversation, at: from.position }
      const makeId = () => messageId(newId(door.now))
      await deps.store.fork({ ...at, into: key.conversation, fields, now: createdAt, newId: makeId })
      return
    }
    const forkedFrom =
      from === undefined
        ? undefined
        : { conversationId: from.conversation, messageId: from.id, position: from.position }
    await deps.store.createConversation({ ...key, fields, createdAt, ...definedFields({ forkedFrom }) })
  }

  async #append(key: ConversationKey, { messages }: PlacingStep): Promise<void> {
    const { deps } = this.#parts
    const { batchMessages } = deps.limits
    // A conversation without a title gets one from its first messages.
    const suggestTitle = this.#title === undefined ? makeTitle : () => undefined
    for (let at = 0; at < messages.length; at += batchMessages) {
      const batch = messages.slice(at, at + batchMessages)
      const request = { ...key, messages: batch, now: deps.now(), suggestTitle }
      this.counts.messages += (await deps.store.append(request)).added
    }
  }

  get #title(): string | undefined {
    const { title } = this.#foreign
    return title === undefined ? undefined : toLine(title, this.#parts.deps.limits.titleCharacters)
  }

  #fields(): ConversationFields {
    const { isPinned, isArchived } = this.#foreign
    return this.#accept({
      ...definedFields({ title: this.#title, isPinned, isArchived }),
      tags: this.#tags(),
    })
  }

  #fieldsOfFork(): ConversationFields {
    const { isArchived } = this.#foreign
    const most = this.#parts.deps.limits.titleCharacters
    const title =
      this.#title === undefined ? undefined : toLine(`${this.#title.slice(0, most - 9)} (branch)`, most)
    return this.#accept({ ...definedFields({ title, isArchived }), tags: [...this.#tags(), BRANCH_TAG] })
  }

  #accept(changes: ConversationChanges): ConversationFields {
    const { door, format } = this.#parts
    const { isMemoryOn, metadata = {} } = this.#foreign
    const kept = fitMetadata({ importedFrom: format, ...metadata }, door.limits)
    return acceptChanges({ ...changes, ...definedFields({ isMemoryOn }), metadata: kept }, door)
  }

  /** One fewer than the limit, to leave room for one more. */
  #tags(): string[] {
    const { format, deps } = this.#parts
    const { idCharacters, tags: most } = deps.limits
    const lines = (this.#foreign.tags ?? []).flatMap((tag) => toLine(tag, idCharacters) ?? [])
    return [...new Set([format, ...lines])].slice(0, Math.max(1, most - 1))
  }
}

function firstTime({ messages }: PlacingStep): Date {
  return messages[0]?.createdAt ?? new Date(0)
}

/** What merging a conversation needs. */
export interface PlacingParts {
  readonly deps: WorkspaceDeps
  readonly door: DoorRules
  readonly format: ImportFormat
  readonly isDryRun: boolean
  readonly branches: 'forks' | 'none'
}
