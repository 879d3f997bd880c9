// Our own export, in again. Conversations that are missing are made, messages that are missing are
// appended, and what is there already stays as it is: importing twice adds nothing, and an import that was
// interrupted goes on where it stopped. Every message passes the same door as a new one, and its tokens are
// counted anew, since budgets rest on them. What does not pass is reported with its place, and the rest comes in.

import type { DoorRules } from '../accept-message.ts'
import type { ExportedDocument } from '../export/export-json.ts'
import type { WorkspaceDeps } from '../record.ts'
import { tellQuiet } from './envelope/tell-quiet.ts'
import { ConversationImport } from './import-conversations.ts'
import { importDocument } from './import-document.ts'
import { EditImport } from './import-edits.ts'
import { ImportLog, reasonToSkip } from './import-log.ts'
import { PageImport } from './import-pages.ts'
import type { Imported, ImportOptions } from './imported.ts'
import { type ExportEntry, readExport } from './read-export.ts'

export async function importExport(
  recorder: WorkspaceDeps,
  pieces: AsyncIterable<string | Uint8Array>,
  options: ImportOptions = {},
): Promise<Imported> {
  const log = new ImportLog(options)
  log.format = 'recollect'
  const { isDryRun = false } = options
  const writer = new Import(recorder, await recorder.loadTokenizer(), { log, isDryRun })
  const told = tellQuiet(pieces, () => writer.flush())
  for await (const read of readExport(told, { mostBytes: recorder.limits.importBytes })) {
    if ('problem' in read) log.skip(read.place, read.problem)
    else await writer.take(read.place, read.entry)
  }
  await writer.flush()
  return log.imported
}

interface ImportParts {
  readonly log: ImportLog
  readonly isDryRun: boolean
}

class Import {
  readonly #recorder: WorkspaceDeps
  readonly #isDryRun: boolean
  readonly #log: ImportLog
  readonly #conversations: ConversationImport
  readonly #pages: PageImport
  readonly #edits: EditImport

  constructor(recorder: WorkspaceDeps, tokenizer: DoorRules['tokenizer'], { log, isDryRun }: ImportParts) {
    const door = { limits: recorder.limits, tokenizer, now: recorder.now() }
    this.#recorder = recorder
    this.#isDryRun = isDryRun
    this.#log = log
    this.#conversations = new ConversationImport(recorder, { door, log, isDryRun })
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

  async flush(): Promise<void> {
    await this.#conversations.flush()
    await this.#pages.flush()
  }

  async #take(place: string, entry: ExportEntry): Promise<void> {
    if (entry.kind === 'conversation') return this.#conversations.begin(entry.conversation)
    if (entry.kind === 'message') return this.#conversations.addMessage(place, entry.message)
    if (entry.kind === 'receipt') return this.#conversations.addReceipt(entry.receipt)
    if (entry.kind === 'query') return this.#pages.add(place, entry.query)
    // Edits refer to messages, and pages stand after them.
    await this.flush()
    if (entry.kind === 'page') return this.#pages.begin(entry.page)
    if (entry.kind === 'document') return this.#addDocument(entry.document)
    return this.#edits.add(entry.edit)
  }

  async #addDocument(document: ExportedDocument): Promise<void> {
    const isNew = await importDocument(this.#recorder, document, this.#isDryRun)
    if (isNew) this.#log.add({ documents: 1 })
  }
}
