// Our own export, in again. Conversations that are missing are made, messages that are missing are
// appended, and what is there already stays as it is: importing twice adds nothing, and an import that was
// interrupted goes on where it stopped. Every message passes the same door as a new one, and its tokens are
// counted anew, since budgets rest on them. What does not pass is reported with its place, and the rest comes in.

import type { ForkPoint } from '../../domain/conversation.ts'
import { type ConversationId, conversationId, messageId, type WorkspaceId } from '../../domain/ids.ts'
import type { StoredReceipt } from '../../domain/receipt.ts'
import { MemoryError } from '../../errors.ts'
import { given } from '../../given.ts'
import type { AcceptedMessage } from '../../store/store.ts'
import { acceptChanges } from '../accept-conversation.ts'
import { acceptName } from '../accept-id.ts'
import { acceptMessage, type DoorRules } from '../accept-message.ts'
import type { ExportedConversation, ExportedEdit, ExportedMessage } from '../export/export-json.ts'
import type { Recorder } from '../record.ts'
import { EditImport } from './import-edits.ts'
import { ImportLog, reasonToSkip } from './import-log.ts'
import { PageImport } from './import-pages.ts'
import type { Imported, ImportOptions } from './imported.ts'
import { toTime } from './read-entry.ts'
import { type ExportEntry, readExport } from './read-export.ts'
import { writeBatch } from './write-batch.ts'

/** Messages written in one transaction. */
const BATCH = 500
const EVERY_RECEIPT = Number.MAX_SAFE_INTEGER

export async function importExport(
  recorder: Recorder,
  pieces: AsyncIterable<string | Uint8Array>,
  options: ImportOptions = {},
): Promise<Imported> {
  const log = new ImportLog(options)
  log.format = 'recollect'
  const { isDryRun = false } = options
  const writer = new Import(recorder, await recorder.loadTokenizer(), { log, isDryRun })
  for await (const read of readExport(pieces, { mostBytes: recorder.limits.importBytes })) {
    if ('problem' in read) log.skip(read.place, read.problem)
    else {
      await writer.take(read.place, read.entry)
      if (read.entry.kind === 'conversation' || read.entry.kind === 'page') log.showProgress()
    }
  }
  await writer.flush()
  return log.imported
}

interface ImportParts {
  readonly log: ImportLog
  readonly isDryRun: boolean
}

interface Waiting {
  readonly place: string
  readonly message: AcceptedMessage
}

class Import {
  readonly #recorder: Recorder
  readonly #door: DoorRules
  readonly #log: ImportLog
  readonly #isDryRun: boolean
  #conversation: ConversationId | undefined
  #batch: Waiting[] = []
  #knownReceipts = new Set<string>()
  readonly #pages: PageImport
  readonly #edits: EditImport

  constructor(recorder: Recorder, tokenizer: DoorRules['tokenizer'], { log, isDryRun }: ImportParts) {
    this.#recorder = recorder
    this.#log = log
    this.#isDryRun = isDryRun
    this.#door = { limits: recorder.limits, tokenizer, now: recorder.now() }
    this.#pages = new PageImport(recorder, log, isDryRun)
    this.#edits = new EditImport(recorder, log, isDryRun)
  }

  /** What cannot come in is reported and left out. */
  async take(place: string, entry: ExportEntry): Promise<void> {
    try {
      await this.#take(place, entry)
    } catch (error) {
      this.#log.skip(place, reasonToSkip(error))
    }
  }

  async #take(place: string, entry: ExportEntry): Promise<void> {
    if (entry.kind === 'conversation') return this.#begin(entry.conversation)
    if (entry.kind === 'receipt') return this.#addReceipt(entry.receipt)
    if (entry.kind === 'page') return this.#pages.begin(entry.page)
    if (entry.kind === 'query') return this.#pages.add(place, entry.query)
    if (entry.kind === 'edit') return this.#addEdit(entry.edit)
    this.#key()
    this.#batch.push({ place, message: toAccepted(entry.message, this.#door) })
    if (this.#batch.length >= BATCH) await this.flush()
  }

  async flush(): Promise<void> {
    await this.#pages.flush()
    const batch = this.#batch
    if (batch.length === 0) return
    this.#batch = []
    await writeBatch(batch, this.#log, async (waiting) => {
      const messages = waiting.map(({ message }) => message)
      const added = this.#isDryRun ? await this.#countMissing(messages) : await this.#append(messages)
      this.#log.add({ messages: added, known: messages.length - added })
    })
  }

  async #append(messages: readonly AcceptedMessage[]): Promise<number> {
    const { store, now } = this.#recorder
    // The export says what it is called, or that it has no name.
    const suggestTitle = () => undefined
    return (await store.append({ ...this.#key(), messages, now: now(), suggestTitle })).added
  }

  async #countMissing(messages: readonly AcceptedMessage[]): Promise<number> {
    const { store, workspace } = this.#recorder
    const found = await Promise.all(messages.map(({ id }) => store.findMessage(workspace, id)))
    return found.filter((message) => message === undefined).length
  }

  #key(): { workspace: WorkspaceId; conversation: ConversationId } {
    if (this.#conversation === undefined)
      throw new MemoryError('invalid-input', 'its conversation did not come in')
    return { workspace: this.#recorder.workspace, conversation: this.#conversation }
  }

  async #begin(exported: ExportedConversation): Promise<void> {
    await this.flush()
    this.#conversation = undefined
    const { store, workspace } = this.#recorder
    const most = this.#door.limits.idCharacters
    const id = conversationId(acceptName(exported.id, { what: 'a conversation id', most }))
    const key = { workspace, conversation: id }
    const fields = toFields(exported, this.#door)
    const createdAt = toTime(exported.createdAt)
    if ((await store.findConversation(key)) === undefined) {
      const forkedFrom = exported.forkedFrom as ForkPoint | undefined
      if (!this.#isDryRun)
        await store.createConversation({ ...key, fields, ...given({ forkedFrom }), createdAt })
      this.#log.add({ conversations: 1 })
    }
    this.#conversation = id
    const receipts = await store.receipts(key, EVERY_RECEIPT)
    this.#knownReceipts = new Set(receipts.map((receipt) => receipt.id))
  }

  async #addReceipt(receipt: StoredReceipt): Promise<void> {
    await this.flush()
    if (this.#isDryRun || this.#knownReceipts.has(receipt.id)) return
    const { store, workspace } = this.#recorder
    const moved = {
      ...receipt,
      conversationId: this.#key().conversation,
      createdAt: toTime(receipt.createdAt),
    }
    await store.saveReceipt(workspace, moved, EVERY_RECEIPT)
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
