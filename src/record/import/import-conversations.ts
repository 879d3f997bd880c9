// Conversations of our own export with their messages and receipts, in again. Some are written at a time, so that
// they share commits.

import type { ForkPoint } from '../../domain/conversation.ts'
import { definedFields } from '../../domain/defined-fields.ts'
import { MemoryError } from '../../domain/errors.ts'
import { conversationId, messageId } from '../../domain/ids.ts'
import type { StoredReceipt } from '../../domain/receipt.ts'
import type { AcceptedMessage, ConversationKey, NewConversation } from '../../store/store.ts'
import { acceptChanges } from '../accept-conversation.ts'
import { acceptName } from '../accept-id.ts'
import { acceptMessage, type DoorRules } from '../accept-message.ts'
import type { ExportedConversation, ExportedMessage } from '../export/export-json.ts'
import type { WorkspaceDeps } from '../record.ts'
import type { ImportLog } from './import-log.ts'
import { toTime } from './read-entry.ts'
import { writeBatch } from './write-batch.ts'

/** So much is written together. */
const MOST_CONVERSATIONS = 250
const MOST_MESSAGES = 2000
const MOST_TOKENS = 2_000_000
const EVERY_RECEIPT = Number.MAX_SAFE_INTEGER

interface Waiting {
  readonly place: string
  readonly message: AcceptedMessage
}

/** A conversation of which something waits to be written. */
interface Begun {
  readonly conversation: NewConversation
  isMade: boolean
  messages: Waiting[]
  receipts: StoredReceipt[]
}

interface ConversationImportParts {
  readonly door: DoorRules
  readonly log: ImportLog
  readonly isDryRun: boolean
}

export class ConversationImport {
  readonly #recorder: WorkspaceDeps
  readonly #parts: ConversationImportParts
  #begun: Begun | undefined
  #group: Begun[] = []
  #waiting = { entries: 0, tokens: 0 }

  constructor(recorder: WorkspaceDeps, parts: ConversationImportParts) {
    this.#recorder = recorder
    this.#parts = parts
  }

  async begin(exported: ExportedConversation): Promise<void> {
    this.#begun = undefined
    const conversation = this.#accept(exported)
    const isTwice = this.#group.some((other) => other.conversation.conversation === conversation.conversation)
    if (isTwice || this.#group.length >= MOST_CONVERSATIONS) await this.flush()
    this.#begun = { conversation, isMade: false, messages: [], receipts: [] }
    this.#group.push(this.#begun)
  }

  async addMessage(place: string, exported: ExportedMessage): Promise<void> {
    const begun = this.#need()
    const message = toAccepted(exported, this.#parts.door)
    begun.messages.push({ place, message })
    await this.#count(message.tokens)
  }

  async addReceipt(receipt: StoredReceipt): Promise<void> {
    const begun = this.#need()
    const { conversation } = begun.conversation
    begun.receipts.push({ ...receipt, conversationId: conversation, createdAt: toTime(receipt.createdAt) })
    await this.#count(0)
  }

  async flush(): Promise<void> {
    const group = this.#group
    this.#group = this.#begun === undefined ? [] : [this.#begun]
    this.#waiting = { entries: 0, tokens: 0 }
    const outcomes = await Promise.allSettled(group.map((begun) => this.#write(begun)))
    const failed = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failed !== undefined) throw failed.reason
    if (group.length > 0) this.#parts.log.showProgress()
  }

  async #count(tokens: number): Promise<void> {
    this.#waiting.entries += 1
    this.#waiting.tokens += tokens
    const { entries, tokens: waiting } = this.#waiting
    if (entries >= MOST_MESSAGES || waiting >= MOST_TOKENS) await this.flush()
  }

  #need(): Begun {
    if (this.#begun !== undefined) return this.#begun
    throw new MemoryError('invalid-input', 'its conversation did not come in')
  }

  #accept(exported: ExportedConversation): NewConversation {
    const { door } = this.#parts
    const { workspace, limits } = this.#recorder
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

  async #write(begun: Begun): Promise<void> {
    const { messages, receipts } = begun
    begun.messages = []
    begun.receipts = []
    await this.#make(begun)
    if (messages.length > 0) await this.#append(begun.conversation, messages)
    if (receipts.length > 0) await this.#save(begun.conversation, receipts)
  }

  async #make(begun: Begun): Promise<void> {
    if (begun.isMade) return
    begun.isMade = true
    const { store } = this.#recorder
    if ((await store.findConversation(begun.conversation)) !== undefined) return
    if (!this.#parts.isDryRun) await store.createConversation(begun.conversation)
    this.#parts.log.add({ conversations: 1 })
  }

  async #append({ workspace, conversation }: ConversationKey, batch: readonly Waiting[]): Promise<void> {
    const { store, now } = this.#recorder
    const { log, isDryRun } = this.#parts
    // The export says what it is called, or that it has no name.
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
    const { store, workspace } = this.#recorder
    const found = await Promise.all(messages.map(({ id }) => store.findMessage(workspace, id)))
    return found.filter((message) => message === undefined).length
  }

  async #save(key: ConversationKey, receipts: readonly StoredReceipt[]): Promise<void> {
    if (this.#parts.isDryRun) return
    const { store, workspace } = this.#recorder
    const known = new Set((await store.receipts(key, EVERY_RECEIPT)).map(({ id }) => id))
    const missing = receipts.filter(({ id }) => !known.has(id))
    await Promise.all(missing.map((receipt) => store.saveReceipt(workspace, receipt, EVERY_RECEIPT)))
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
  // A tool message that was erased or damaged has no results left to check.
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
