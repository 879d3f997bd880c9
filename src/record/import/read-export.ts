// Reads our own JSON export piece by piece, however it is formatted: a file of any size passes through a
// few kilobytes of memory, save for the message at hand.

import { MemoryError } from '../../domain/errors.ts'
import type { StoredReceipt } from '../../domain/receipt.ts'
import { isPlainObject } from '../accept-json.ts'
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
import { encodePieces, type Pieces } from './envelope/encode-pieces.ts'
import { JsonScanner, type Path, type Scanned, type ScannedValue } from './envelope/json-scanner.ts'

/** What an export holds, in the order in which it stands there. Times are still texts. */
export type ExportEntry =
  | { readonly kind: 'conversation'; readonly conversation: ExportedConversation }
  | { readonly kind: 'message'; readonly message: ExportedMessage }
  | { readonly kind: 'receipt'; readonly receipt: StoredReceipt }
  | { readonly kind: 'page'; readonly page: ExportedPage }
  | { readonly kind: 'query'; readonly query: ExportedQuery }
  | { readonly kind: 'document'; readonly document: ExportedDocument }
  | { readonly kind: 'edit'; readonly edit: ExportedEdit }

/** What is opened; everything in it is read one by one. A star stands for each element of a list. */
const OPENED = new Set([
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

/** What tells that a value is what belongs at this place. */
const SOUND: Readonly<Record<string, readonly string[]>> = {
  'conversations.*': ['conversation', 'messages'],
  'conversations.*.messages.*': ['id', 'role', 'content'],
  'conversations.*.receipts.*': ['id', 'fingerprint'],
  'pages.*': ['page', 'queries'],
  'pages.*.queries.*': ['id', 'intent'],
  'documents.*': ['id', 'contentHash'],
  'edits.*': ['kind', 'key'],
}

/** An entry with its place, or a place where there is none that could be read. */
export type ReadEntry =
  | { readonly place: string; readonly entry: ExportEntry }
  | { readonly place: string; readonly problem: string }

export async function* readExport(
  pieces: Pieces,
  { mostBytes }: { readonly mostBytes: number },
): AsyncGenerator<ReadEntry> {
  const scanner = new JsonScanner({
    mostBytes,
    isOpened: (path) => OPENED.has(withStars(path)),
    isSound: (value, path) => {
      const fields = SOUND[withStars(path)]
      return fields !== undefined && isPlainObject(value) && fields.every((field) => field in value)
    },
  })
  const head = new Head()
  for await (const piece of encodePieces(pieces))
    yield* head.pass(scanner.write(piece)).flatMap(toReadEntries)
  yield* head.pass(scanner.end()).flatMap(toReadEntries)
  if (!head.isKnown) throw notOurs()
}

type Found = Extract<Scanned, { kind: 'value' | 'broken' }>

/** Sees to it that this is an export of ours before anything of it is read. */
class Head {
  isKnown = false

  pass(scanned: readonly Scanned[]): readonly Found[] {
    const found = scanned.filter((item) => item.kind !== 'end')
    return found.filter((item) => {
      const isField = item.kind === 'value' && item.path.length === 2
      if (isField) this.isKnown = checkHead(item.path[1], item.value) || this.isKnown
      else if (!this.isKnown) throw notOurs()
      return !isField
    })
  }
}

const withStars = (path: Path): string =>
  path
    .slice(1)
    .map((step) => (typeof step === 'number' ? '*' : step))
    .join('.')

function toReadEntries(item: Found): readonly ReadEntry[] {
  const place = describePlace(item)
  if (item.kind === 'broken') return [{ place, problem: item.reason }]
  const { path, value } = item
  if (isPlainObject(value) && OPENED.has(withStars(path))) return readWhole(item, value)
  return [{ place, entry: toEntry(path.at(-1), value) }]
}

/** A conversation or page that was found in one piece, after something broken: the same entries in the same order. */
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

/** `conversation 3, message 17`; the byte where it is hard to find otherwise. */
function describePlace({ kind, path, offset }: Found): string {
  const steps = path.flatMap((step, i) =>
    typeof step === 'number' && i > 0 ? `${NOUNS[String(path[i - 1])] ?? 'entry'} ${step + 1}` : [],
  )
  const place = steps.length === 0 ? 'the export' : steps.join(', ')
  return kind === 'broken' ? `${place} (byte ${offset})` : place
}

/** Whether it tells what this is. */
function checkHead(key: unknown, value: unknown): boolean {
  if (key === 'format' && value !== EXPORT_FORMAT) throw notOurs()
  if (key === 'version' && value !== EXPORT_VERSION) {
    throw new MemoryError(
      'invalid-input',
      `the export has version ${String(value)}; this Recollect reads ${EXPORT_VERSION}`,
      {
        hint: 'update Recollect',
      },
    )
  }
  return key === 'format' || key === 'version'
}

const notOurs = (): MemoryError =>
  new MemoryError('invalid-input', 'this is not an export of Recollect', {
    hint: 'a Recollect export begins with {"format":"recollect"',
  })

/** Elements of arrays have a number for a key: receipts have a fingerprint, queries an intent, documents a hash, edits a kind, messages a role. */
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
