import { MemoryError } from '../../domain/errors.ts'
import { acceptChoice } from '../accept.ts'
import type { DoorRules } from '../accept-message.ts'
import type { ExportedDocument } from '../export/export-json.ts'
import type { WorkspaceDeps } from '../record.ts'
import { detectEnvelope, isEnvelopeKnown, type Pieces, peek } from './envelope/detect-envelope.ts'
import { readDocumentRecords, readLineRecords } from './envelope/read-records.ts'
import { unknownFormat } from './formats/formats.ts'
import { ConversationImport } from './import-conversations.ts'
import { EditImport, importDocument } from './import-edits.ts'
import { ForeignImport, type ImportTarget } from './import-foreign.ts'
import { PageImport } from './import-pages.ts'
import { IMPORT_FORMATS, type Imported, ImportLog, type ImportOptions, reasonToSkip } from './imported.ts'
import { type ExportEntry, readExport } from './read-export.ts'

/** Enough to see whether the first line is a complete record. */
const HEAD_BYTES = 1 << 20

/** Imports an export of Recollect or of another program; the format is detected. */
export async function importChats(
  target: ImportTarget,
  pieces: Pieces,
  options: ImportOptions = {},
): Promise<Imported> {
  const { format = 'auto', branches = 'forks' } = options
  acceptChoice(format, { what: 'the format of an import', choices: ['auto', ...IMPORT_FORMATS] })
  acceptChoice(branches, { what: 'branches of an import', choices: ['forks', 'none'] })
  const { head, bytes } = await peek(pieces, { maxBytes: HEAD_BYTES, isEnough: isEnvelopeKnown })
  const envelope = detectEnvelope(head)
  if (envelope === 'empty') throw new MemoryError('invalid-input', 'nothing to import: the file is empty')
  if (format === 'recollect' || (format === 'auto' && envelope === 'recollect'))
    return importExport(target, bytes, options)
  if (envelope === 'unknown') throw unknownFormat('it is not JSON')
  const { limits, now } = target
  const door = { limits, tokenizer: await target.loadTokenizer(), now: now() }
  const foreign = new ForeignImport(target, door, options)
  const rules = { maxBytes: limits.importBytes, isRecord: foreign.isRecord }
  const read = envelope === 'lines' ? readLineRecords : readDocumentRecords
  const chunks = withIdleCallback(bytes, () => foreign.flush())
  for await (const record of read(chunks, rules)) await foreign.take(record)
  return foreign.end()
}

// Imports a Recollect export. Missing conversations are created and missing messages appended; existing ones are not
// changed. Importing twice adds nothing, and an interrupted import can be run again. Every message is validated like a
// new one, and its tokens are counted again, since budgets depend on them. Invalid entries are reported with their
// position and skipped.

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

/** Longer than a disk or a program that writes continuously ever takes. */
const IDLE_MS = 250

/**
 * Passes a stream through and calls `onIdle` when the next chunk takes long to arrive, for example in a pipe whose
 * writer pauses.
 */
export async function* withIdleCallback<T>(
  pieces: AsyncIterable<T>,
  onIdle: () => Promise<void>,
): AsyncGenerator<T> {
  const source = pieces[Symbol.asyncIterator]()
  let isPending = false
  try {
    for (;;) {
      isPending = true
      const next = source.next()
      if (!(await arrivesSoon(next))) await onIdle()
      const { done, value } = await next
      isPending = false
      if (done === true) return
      yield value
    }
  } finally {
    // While a read is pending, `return` would wait for it, possibly forever.
    if (!isPending) await source.return?.()
  }
}

async function arrivesSoon(next: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), IDLE_MS)
  })
  const arrived = next.then(
    () => true,
    () => true,
  )
  const hasArrived = await Promise.race([arrived, late])
  clearTimeout(timer)
  return hasArrived
}
