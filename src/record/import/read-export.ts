// Reads our own JSON export piece by piece, however it is formatted: a file of any size passes through a
// few kilobytes of memory, save for the message at hand.

import { JSONParser } from '@streamparser/json'
import type { StoredReceipt } from '../../domain/receipt.ts'
import { MemoryError } from '../../errors.ts'
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

/** What an export holds, in the order in which it stands there. Times are still texts. */
export type ExportEntry =
  | { readonly kind: 'conversation'; readonly conversation: ExportedConversation }
  | { readonly kind: 'message'; readonly message: ExportedMessage }
  | { readonly kind: 'receipt'; readonly receipt: StoredReceipt }
  | { readonly kind: 'page'; readonly page: ExportedPage }
  | { readonly kind: 'query'; readonly query: ExportedQuery }
  | { readonly kind: 'document'; readonly document: ExportedDocument }
  | { readonly kind: 'edit'; readonly edit: ExportedEdit }

const PATHS = [
  '$.format',
  '$.version',
  '$.conversations.*.conversation',
  '$.conversations.*.messages.*',
  '$.conversations.*.receipts.*',
  '$.pages.*.page',
  '$.pages.*.queries.*',
  '$.documents.*',
  '$.edits.*',
]

export async function* readExport(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<ExportEntry> {
  const parser = new JSONParser({ paths: PATHS, keepStack: false })
  let entries: ExportEntry[] = []
  let isKnown = false
  parser.onValue = ({ key, value }) => {
    if (key === 'format' || key === 'version') {
      checkHead(key, value)
      isKnown = true
      return
    }
    entries.push(toEntry(key, value))
  }
  for await (const piece of pieces) {
    feed(parser, piece)
    if (!isKnown && entries.length > 0) throw notOurs()
    yield* entries
    entries = []
  }
  if (!isKnown) throw notOurs()
  if (!parser.isEnded) {
    throw new MemoryError('invalid-input', 'the export ends too early', {
      hint: 'the file was cut off; what came before the cut has been imported, and importing the whole file again adds the rest',
    })
  }
}

function feed(parser: JSONParser, piece: string | Uint8Array): void {
  try {
    parser.write(piece)
  } catch (cause) {
    if (cause instanceof MemoryError) throw cause
    throw new MemoryError('invalid-input', 'the export is not valid JSON', {
      hint: 'is it the file that `recollect export` wrote?',
      cause,
    })
  }
}

function checkHead(key: string, value: unknown): void {
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
