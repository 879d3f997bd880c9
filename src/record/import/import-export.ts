// Our own export, in again. Conversations that are missing are made, messages that are missing are
// appended, and what is there already stays as it is: importing twice adds nothing, and an import that was
// interrupted goes on where it stopped. Every message passes the same door as a new one, and its tokens are
// counted anew, since budgets rest on them.

import type { ForkPoint } from '../../domain/conversation.ts'
import { type ConversationId, conversationId, messageId, type WorkspaceId } from '../../domain/ids.ts'
import type { StoredReceipt } from '../../domain/receipt.ts'
import { MemoryError } from '../../errors.ts'
import { given } from '../../given.ts'
import type { AcceptedMessage } from '../../store/store.ts'
import { acceptChanges } from '../accept-conversation.ts'
import { acceptName } from '../accept-id.ts'
import { acceptMessage, type DoorRules } from '../accept-message.ts'
import type {
  ExportedConversation,
  ExportedDocument,
  ExportedEdit,
  ExportedMessage,
} from '../export/export-json.ts'
import type { Recorder } from '../record.ts'
import { importDocument } from './import-document.ts'
import { EditImport } from './import-edits.ts'
import { PageImport } from './import-pages.ts'
import { toTime, withPlace } from './read-entry.ts'
import { type ExportEntry, readExport } from './read-export.ts'

export interface ImportOptions {
  /** Tells what would come and writes nothing. @default false */
  readonly isDryRun?: boolean
  /** Called with what was read so far. */
  readonly onProgress?: (imported: Imported) => void
}

export interface Imported {
  readonly conversations: number
  /** New messages. */
  readonly messages: number
  /** Messages that were there already. */
  readonly known: number
  /** New pages. */
  readonly pages: number
  /** New queries. */
  readonly queries: number
  /** New edits: what people and applications said beside messages. */
  readonly edits: number
  /** New documents. */
  readonly documents: number
}

/** Messages written in one transaction. */
const BATCH = 500
const EVERY_RECEIPT = Number.MAX_SAFE_INTEGER

export async function importExport(
  recorder: Recorder,
  pieces: AsyncIterable<string | Uint8Array>,
  { isDryRun = false, onProgress }: ImportOptions = {},
): Promise<Imported> {
  const writer = isDryRun ? new CountingImport() : new Import(recorder, await recorder.loadTokenizer())
  for await (const entry of readExport(pieces)) {
    await writer.take(entry)
    if (entry.kind === 'conversation' || entry.kind === 'page') onProgress?.(writer.imported)
  }
  await writer.flush()
  return writer.imported
}

const COUNTED: Partial<Record<ExportEntry['kind'], keyof Imported>> = {
  conversation: 'conversations',
  message: 'messages',
  edit: 'edits',
  page: 'pages',
  query: 'queries',
  document: 'documents',
}

/** Reads and counts. */
class CountingImport {
  imported: Imported = {
    conversations: 0,
    messages: 0,
    known: 0,
    edits: 0,
    pages: 0,
    queries: 0,
    documents: 0,
  }

  async take({ kind }: ExportEntry): Promise<void> {
    const counted = COUNTED[kind]
    if (counted !== undefined) this.add({ [counted]: 1 })
  }

  async flush(): Promise<void> {
    return undefined
  }

  protected add(more: Partial<Imported>): void {
    const sums = Object.entries(this.imported).map(([name, count]) => [
      name,
      count + (more[name as keyof Imported] ?? 0),
    ])
    this.imported = Object.fromEntries(sums)
  }
}

class Import extends CountingImport {
  readonly #recorder: Recorder
  readonly #door: DoorRules
  #conversation: ConversationId | undefined
  #batch: AcceptedMessage[] = []
  #knownReceipts = new Set<string>()
  readonly #pages: PageImport
  readonly #edits: EditImport

  constructor(recorder: Recorder, tokenizer: DoorRules['tokenizer']) {
    super()
    this.#recorder = recorder
    this.#door = { limits: recorder.limits, tokenizer, now: recorder.now() }
    this.#pages = new PageImport(recorder, (more) => this.add(more))
    this.#edits = new EditImport(recorder, () => this.add({ edits: 1 }))
  }

  override async take(entry: ExportEntry): Promise<void> {
    if (entry.kind === 'conversation') return this.#begin(entry.conversation)
    if (entry.kind === 'receipt') return this.#addReceipt(entry.receipt)
    if (entry.kind === 'page') return this.#pages.begin(entry.page)
    if (entry.kind === 'query') return this.#pages.add(entry.query)
    if (entry.kind === 'document') return this.#addDocument(entry.document)
    if (entry.kind === 'edit') return this.#addEdit(entry.edit)
    this.#batch.push(this.#accept(entry.message))
    if (this.#batch.length >= BATCH) await this.flush()
  }

  override async flush(): Promise<void> {
    await this.#pages.flush()
    const messages = this.#batch
    if (messages.length === 0) return
    this.#batch = []
    const { store, now } = this.#recorder
    // The export says what it is called, or that it has no name.
    const { added } = await store.append({
      ...this.#key(),
      messages,
      now: now(),
      suggestTitle: () => undefined,
    })
    this.add({ messages: added, known: messages.length - added })
  }

  #accept(exported: ExportedMessage): AcceptedMessage {
    try {
      return toAccepted(exported, this.#door)
    } catch (cause) {
      throw withPlace(cause, `message ${exported.position ?? '?'} of "${this.#conversation ?? '?'}"`)
    }
  }

  #key(): { workspace: WorkspaceId; conversation: ConversationId } {
    if (this.#conversation === undefined)
      throw new MemoryError('invalid-input', 'a message stands before its conversation')
    return { workspace: this.#recorder.workspace, conversation: this.#conversation }
  }

  async #begin(exported: ExportedConversation): Promise<void> {
    await this.flush()
    const { store } = this.#recorder
    const most = this.#door.limits.idCharacters
    this.#conversation = conversationId(acceptName(exported.id, { what: 'a conversation id', most }))
    const isThere = (await store.findConversation(this.#key())) !== undefined
    if (!isThere) {
      await store.createConversation({
        ...this.#key(),
        fields: toFields(exported, this.#door),
        ...(exported.forkedFrom !== undefined && { forkedFrom: exported.forkedFrom as ForkPoint }),
        createdAt: toTime(exported.createdAt),
      })
      this.add({ conversations: 1 })
    }
    const receipts = await store.receipts(this.#key(), EVERY_RECEIPT)
    this.#knownReceipts = new Set(receipts.map(({ id }) => id))
  }

  async #addReceipt(receipt: StoredReceipt): Promise<void> {
    await this.flush()
    if (this.#knownReceipts.has(receipt.id)) return
    const { store, workspace } = this.#recorder
    const moved = {
      ...receipt,
      conversationId: this.#key().conversation,
      createdAt: toTime(receipt.createdAt),
    }
    await store.saveReceipt(workspace, moved, EVERY_RECEIPT)
  }

  async #addDocument(document: ExportedDocument): Promise<void> {
    await this.flush()
    if (await importDocument(this.#recorder, document)) this.add({ documents: 1 })
  }

  async #addEdit(edit: ExportedEdit): Promise<void> {
    await this.flush()
    await this.#edits.add(edit)
  }
}

function toFields(exported: ExportedConversation, { limits, now }: DoorRules) {
  const { title, tags, isPinned, isMemoryOn, documents, metadata, archivedAt, isTitleGiven } = exported
  const changes = { tags, isPinned, isMemoryOn, documents, metadata, ...given({ title }) }
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
