// Imports conversations of a Recollect export with their messages and receipts. Several are written at a time, to
// share commits.

import type { ForkPoint } from '../../domain/conversation.ts'
import { definedFields } from '../../domain/defined-fields.ts'
import { MemoryError } from '../../domain/errors.ts'
import { conversationId, messageId } from '../../domain/ids.ts'
import type { StoredReceipt } from '../../domain/receipt.ts'
import type { AcceptedMessage, ConversationKey, NewConversation } from '../../store/store.ts'
import { acceptChanges, acceptName } from '../accept.ts'
import { acceptMessage, type DoorRules } from '../accept-message.ts'
import type { ExportedConversation, ExportedMessage } from '../export/export-json.ts'
import type { WorkspaceDeps } from '../record.ts'
import type { ImportLog } from './imported.ts'
import { writeBatch } from './imported.ts'
import { toTime } from './read-export.ts'

/** Limits of a write batch. */
const MAX_BATCH_CONVERSATIONS = 250
const MAX_BATCH_MESSAGES = 2000
const MAX_BATCH_TOKENS = 2_000_000
const ALL_RECEIPTS = Number.MAX_SAFE_INTEGER

interface Waiting {
  readonly place: string
  readonly message: AcceptedMessage
}

/** A conversation with entries that are not written yet. */
interface PendingConversation {
  readonly conversation: NewConversation
  isCreated: boolean
  messages: Waiting[]
  receipts: StoredReceipt[]
}

interface ConversationImportParts {
  readonly door: DoorRules
  readonly log: ImportLog
  readonly isDryRun: boolean
}

export class ConversationImport {
  readonly #deps: WorkspaceDeps
  readonly #parts: ConversationImportParts
  #pending: PendingConversation | undefined
  #group: PendingConversation[] = []
  #waiting = { entries: 0, tokens: 0 }

  constructor(deps: WorkspaceDeps, parts: ConversationImportParts) {
    this.#deps = deps
    this.#parts = parts
  }

  async begin(exported: ExportedConversation): Promise<void> {
    this.#pending = undefined
    const conversation = this.#accept(exported)
    const isTwice = this.#group.some((other) => other.conversation.conversation === conversation.conversation)
    if (isTwice || this.#group.length >= MAX_BATCH_CONVERSATIONS) await this.flush()
    this.#pending = { conversation, isCreated: false, messages: [], receipts: [] }
    this.#group.push(this.#pending)
  }

  async addMessage(place: string, exported: ExportedMessage): Promise<void> {
    const pending = this.#currentConversation()
    const message = toAccepted(exported, this.#parts.door)
    pending.messages.push({ place, message })
    await this.#count(message.tokens)
  }

  async addReceipt(receipt: StoredReceipt): Promise<void> {
    const pending = this.#currentConversation()
    const { conversation } = pending.conversation
    pending.receipts.push({ ...receipt, conversationId: conversation, createdAt: toTime(receipt.createdAt) })
    await this.#count(0)
  }

  async flush(): Promise<void> {
    const group = this.#group
    this.#group = this.#pending === undefined ? [] : [this.#pending]
    this.#waiting = { entries: 0, tokens: 0 }
    const outcomes = await Promise.allSettled(group.map((pending) => this.#write(pending)))
    const failed = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failed !== undefined) throw failed.reason
    if (group.length > 0) this.#parts.log.showProgress()
  }

  async #count(tokens: number): Promise<void> {
    this.#waiting.entries += 1
    this.#waiting.tokens += tokens
    const { entries, tokens: waiting } = this.#waiting
    if (entries >= MAX_BATCH_MESSAGES || waiting >= MAX_BATCH_TOKENS) await this.flush()
  }

  #currentConversation(): PendingConversation {
    if (this.#pending !== undefined) return this.#pending
    throw new MemoryError('invalid-input', 'skipped: its conversation failed to import')
  }

  #accept(exported: ExportedConversation): NewConversation {
    const { door } = this.#parts
    const { workspace, limits } = this.#deps
    const id = acceptName(exported.id, { what: 'a conversation id', most: limits.idCharacters })
    const forkedFrom = exported.forkedFrom as ForkPoint | undefined
    return {
      workspace,
      conversation: conversationId(id),
      fields: toFields(exported, door),
      ...definedFields({ forkedFrom }),
      createdAt: toTime(exported.createdAt),
    }
  }

  async #write(pending: PendingConversation): Promise<void> {
    const { messages, receipts } = pending
    pending.messages = []
    pending.receipts = []
    await this.#create(pending)
    if (messages.length > 0) await this.#append(pending.conversation, messages)
    if (receipts.length > 0) await this.#save(pending.conversation, receipts)
  }

  async #create(pending: PendingConversation): Promise<void> {
    if (pending.isCreated) return
    pending.isCreated = true
    const { store } = this.#deps
    if ((await store.findConversation(pending.conversation)) !== undefined) return
    if (!this.#parts.isDryRun) await store.createConversation(pending.conversation)
    this.#parts.log.add({ conversations: 1 })
  }

  async #append({ workspace, conversation }: ConversationKey, batch: readonly Waiting[]): Promise<void> {
    const { store, now } = this.#deps
    const { log, isDryRun } = this.#parts
    // The title comes from the export, which may have none.
    const rest = { workspace, conversation, now: now(), suggestTitle: () => undefined }
    await writeBatch(batch, log, async (waiting) => {
      const messages = waiting.map(({ message }) => message)
      const added = isDryRun
        ? await this.#countMissing(messages)
        : (await store.append({ ...rest, messages })).added
      log.add({ messages: added, known: messages.length - added })
    })
  }

  async #countMissing(messages: readonly AcceptedMessage[]): Promise<number> {
    const { store, workspace } = this.#deps
    const found = await Promise.all(messages.map(({ id }) => store.findMessage(workspace, id)))
    return found.filter((message) => message === undefined).length
  }

  async #save(key: ConversationKey, receipts: readonly StoredReceipt[]): Promise<void> {
    if (this.#parts.isDryRun) return
    const { store, workspace } = this.#deps
    const known = new Set((await store.receipts(key, ALL_RECEIPTS)).map(({ id }) => id))
    const missing = receipts.filter(({ id }) => !known.has(id))
    await Promise.all(missing.map((receipt) => store.saveReceipt(workspace, receipt, ALL_RECEIPTS)))
  }
}

function toFields(exported: ExportedConversation, { limits, now }: DoorRules) {
  const { title, tags, isPinned, isMemoryOn, documents, metadata, archivedAt, isTitleGiven } = exported
  const changes = { tags, isPinned, isMemoryOn, documents, metadata, ...definedFields({ title }) }
  return {
    ...acceptChanges(changes, { limits, now }),
    isTitleGiven: isTitleGiven === true,
    ...(archivedAt !== undefined && { archivedAt: toTime(archivedAt) }),
  }
}

function toAccepted(exported: ExportedMessage, door: DoorRules): AcceptedMessage {
  const {
    position: _,
    tokens: __,
    tokenizer: ___,
    recordedAt,
    appendKey,
    copyOf,
    erasedAt,
    isDamaged,
    ...message
  } = exported
  const name = { what: 'an id', most: door.limits.idCharacters }
  // An erased or damaged tool message has no results to validate.
  const isErased = erasedAt !== undefined
  const isBlank = isErased || isDamaged === true
  const accepted = acceptMessage(isBlank ? { ...message, role: 'user', content: '' } : message, door)
  return {
    ...accepted,
    role: message.role,
    recordedAt: toTime(recordedAt),
    ...(appendKey !== undefined && { appendKey: acceptName(appendKey, name) }),
    ...(copyOf !== undefined && { copyOf: messageId(acceptName(copyOf, name)) }),
    ...(isBlank && { tokens: 0 }),
    ...(isErased && { erasedAt: toTime(erasedAt) }),
    ...(isBlank && !isErased && { isDamaged: true }),
  }
}
