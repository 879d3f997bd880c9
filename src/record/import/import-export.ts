// Imports a Recollect export. Missing conversations are created and missing messages appended; existing ones are not
// changed. Importing twice adds nothing, and an interrupted import can be run again. Every message is validated like a
// new one, and its tokens are counted again, since budgets depend on them. Invalid entries are reported with their
// position and skipped.

import type { DoorRules } from '../accept-message.ts'
import type { ExportedDocument } from '../export/export-json.ts'
import type { WorkspaceDeps } from '../record.ts'
import { withIdleCallback } from './envelope/with-idle-callback.ts'
import { ConversationImport } from './import-conversations.ts'
import { importDocument } from './import-document.ts'
import { EditImport } from './import-edits.ts'
import { PageImport } from './import-pages.ts'
import type { Imported, ImportOptions } from './imported.ts'
import { ImportLog, reasonToSkip } from './imported.ts'
import { type ExportEntry, readExport } from './read-export.ts'

export async function importExport(
  deps: WorkspaceDeps,
  pieces: AsyncIterable<string | Uint8Array>,
  options: ImportOptions = {},
): Promise<Imported> {
  const log = new ImportLog(options)
  log.format = 'recollect'
  const { dryRun: isDryRun = false } = options
  const writer = new Import(deps, await deps.loadTokenizer(), { log, isDryRun })
  const chunks = withIdleCallback(pieces, () => writer.flush())
  for await (const read of readExport(chunks, { maxBytes: deps.limits.importBytes })) {
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
  readonly #deps: WorkspaceDeps
  readonly #isDryRun: boolean
  readonly #log: ImportLog
  readonly #conversations: ConversationImport
  readonly #pages: PageImport
  readonly #edits: EditImport

  constructor(deps: WorkspaceDeps, tokenizer: DoorRules['tokenizer'], { log, isDryRun }: ImportParts) {
    const door = { limits: deps.limits, tokenizer, now: deps.now() }
    this.#deps = deps
    this.#isDryRun = isDryRun
    this.#log = log
    this.#conversations = new ConversationImport(deps, { door, log, isDryRun })
    this.#pages = new PageImport(deps, log, isDryRun)
    this.#edits = new EditImport(deps, log, isDryRun)
  }

  /** Invalid entries are reported and skipped. */
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
    // Edits refer to messages, and pages come after them.
    await this.flush()
    if (entry.kind === 'page') return this.#pages.begin(entry.page)
    if (entry.kind === 'document') return this.#addDocument(entry.document)
    return this.#edits.add(entry.edit)
  }

  async #addDocument(document: ExportedDocument): Promise<void> {
    const isNew = await importDocument(this.#deps, document, this.#isDryRun)
    if (isNew) this.#log.add({ documents: 1 })
  }
}
