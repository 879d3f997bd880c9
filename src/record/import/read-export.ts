// Streams a Recollect JSON export, however it is formatted. A file of any size needs a few kilobytes of memory plus the
// current entry.

import { MemoryError } from '../../domain/errors.ts'
import type { StoredReceipt } from '../../domain/receipt.ts'
import { isPlainObject } from '../../schemas/values.ts'
import {
  EXPORT_FORMAT,
  EXPORT_VERSION,
  type ExportedConversation,
  type ExportedDocument,
  type ExportedEdit,
  type ExportedMessage,
  type ExportedPage,
  type ExportedQuery,
} from '../export/export-json.ts'
import { encodePieces, type Pieces } from './envelope/detect-envelope.ts'
import { JsonScanner, type Path, type Scanned, type ScannedValue } from './envelope/json-scanner.ts'

/** The entries of an export, in file order. Timestamps are still strings. */
export type ExportEntry =
  | { readonly kind: 'conversation'; readonly conversation: ExportedConversation }
  | { readonly kind: 'message'; readonly message: ExportedMessage }
  | { readonly kind: 'receipt'; readonly receipt: StoredReceipt }
  | { readonly kind: 'page'; readonly page: ExportedPage }
  | { readonly kind: 'query'; readonly query: ExportedQuery }
  | { readonly kind: 'document'; readonly document: ExportedDocument }
  | { readonly kind: 'edit'; readonly edit: ExportedEdit }

/** Containers whose elements are read one by one. `*` is any element of a list. */
const STREAMED_PATHS = new Set([
  '',
  'conversations',
  'conversations.*',
  'conversations.*.messages',
  'conversations.*.receipts',
  'pages',
  'pages.*',
  'pages.*.queries',
  'documents',
  'edits',
])

/** Fields that identify a valid value at a path. */
const REQUIRED_FIELDS: Readonly<Record<string, readonly string[]>> = {
  'conversations.*': ['conversation', 'messages'],
  'conversations.*.messages.*': ['id', 'role', 'content'],
  'conversations.*.receipts.*': ['id', 'fingerprint'],
  'pages.*': ['page', 'queries'],
  'pages.*.queries.*': ['id', 'intent'],
  'documents.*': ['id', 'contentHash'],
  'edits.*': ['kind', 'key'],
}

/** An entry with its position, or a problem at a position. */
type ReadEntry =
  | { readonly place: string; readonly entry: ExportEntry }
  | { readonly place: string; readonly problem: string }

export async function* readExport(
  pieces: Pieces,
  { maxBytes }: { readonly maxBytes: number },
): AsyncGenerator<ReadEntry> {
  const scanner = new JsonScanner({
    maxBytes,
    isOpened: (path) => STREAMED_PATHS.has(withStars(path)),
    isSound: (value, path) => {
      const fields = REQUIRED_FIELDS[withStars(path)]
      return fields !== undefined && isPlainObject(value) && fields.every((field) => field in value)
    },
  })
  const head = new Head()
  for await (const piece of encodePieces(pieces))
    yield* head.pass(scanner.write(piece)).flatMap(toReadEntries)
  yield* head.pass(scanner.end()).flatMap(toReadEntries)
  if (!head.isKnown) throw notRecollectExport()
}

type EntryItem = Extract<Scanned, { kind: 'value' | 'broken' }>

/** Checks that this is a Recollect export before reading entries. */
class Head {
  isKnown = false

  pass(scanned: readonly Scanned[]): readonly EntryItem[] {
    const found = scanned.filter((item) => item.kind !== 'end')
    return found.filter((item) => {
      const isField = item.kind === 'value' && item.path.length === 2
      if (isField) this.isKnown = checkHead(item.path[1], item.value) || this.isKnown
      else if (!this.isKnown) throw notRecollectExport()
      return !isField
    })
  }
}

const withStars = (path: Path): string =>
  path
    .slice(1)
    .map((step) => (typeof step === 'number' ? '*' : step))
    .join('.')

function toReadEntries(item: EntryItem): readonly ReadEntry[] {
  const place = describePlace(item)
  if (item.kind === 'broken') return [{ place, problem: item.reason }]
  const { path, value } = item
  if (isPlainObject(value) && STREAMED_PATHS.has(withStars(path))) return readWhole(item, value)
  return [{ place, entry: toEntry(path.at(-1), value) }]
}

/** Splits a conversation or page that was parsed as a whole after an error, into the same entries in order. */
function readWhole(whole: ScannedValue, value: Readonly<Record<string, unknown>>): readonly ReadEntry[] {
  return Object.entries(value).flatMap(([key, field]) => {
    const path = [...whole.path, key]
    if (!Array.isArray(field)) return toReadEntries({ ...whole, path, value: field })
    return field.flatMap((element, i) => toReadEntries({ ...whole, path: [...path, i], value: element }))
  })
}

const NOUNS: Readonly<Record<string, string>> = {
  conversations: 'conversation',
  messages: 'message',
  receipts: 'receipt',
  pages: 'page',
  queries: 'query',
  documents: 'document',
  edits: 'edit',
}

/** `conversation 3, message 17`, with the byte offset if the JSON is damaged. */
function describePlace({ kind, path, offset }: EntryItem): string {
  const steps = path.flatMap((step, i) =>
    typeof step === 'number' && i > 0 ? `${NOUNS[String(path[i - 1])] ?? 'entry'} ${step + 1}` : [],
  )
  const place = steps.length === 0 ? 'the export' : steps.join(', ')
  return kind === 'broken' ? `${place} (byte ${offset})` : place
}

/** Returns whether the field identifies the format. */
function checkHead(key: unknown, value: unknown): boolean {
  if (key === 'format' && value !== EXPORT_FORMAT) throw notRecollectExport()
  if (key === 'version' && value !== EXPORT_VERSION) {
    throw new MemoryError(
      'invalid-input',
      `unsupported export version ${String(value)}; this version of Recollect reads ${EXPORT_VERSION}`,
      {
        hint: 'update Recollect',
      },
    )
  }
  return key === 'format' || key === 'version'
}

const notRecollectExport = (): MemoryError =>
  new MemoryError('invalid-input', 'not a Recollect export', {
    hint: 'a Recollect export starts with {"format":"recollect"',
  })

/** List elements are distinguished by a field: receipts have a fingerprint, queries an intent, and so on. */
function toEntry(key: unknown, value: unknown): ExportEntry {
  if (key === 'conversation') return { kind: 'conversation', conversation: value as ExportedConversation }
  if (key === 'page') return { kind: 'page', page: value as ExportedPage }
  const has = (field: string) => typeof value === 'object' && value !== null && field in value
  if (has('fingerprint')) return { kind: 'receipt', receipt: value as StoredReceipt }
  if (has('intent')) return { kind: 'query', query: value as ExportedQuery }
  if (has('contentHash')) return { kind: 'document', document: value as ExportedDocument }
  return has('kind') && !has('role')
    ? { kind: 'edit', edit: value as ExportedEdit }
    : { kind: 'message', message: value as ExportedMessage }
}

/** Dates are strings in JSON. */
export function toTime(text: unknown): Date {
  const time = new Date(text as string)
  if (!Number.isNaN(time.getTime())) return time
  throw new MemoryError('invalid-input', `invalid timestamp in export: ${String(text)}`)
}
