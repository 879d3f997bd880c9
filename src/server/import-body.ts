// The body of an import. Text is streamed; an archive is saved to a temporary file first, since a ZIP file's
// table of contents is at its end.

import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Imported, ImportedConversation, ImportOptions, Workspace } from '../index.ts'
import { limitBytes, mediaTypeOf } from './entrance/read-body.ts'
import type { Work } from './save-with-progress.ts'

export const IMPORT_MEDIA_TYPES: readonly string[] = [
  'application/json',
  'application/x-ndjson',
  'application/zip',
  'application/gzip',
]

/** Enough to recognize the import; nobody reads a list of thousands. */
const MOST_LISTED = 200

export interface ImportCall {
  readonly request: Request
  readonly mostBytes: number
  readonly options: ImportOptions
  readonly work: Work
}

export type ListedImport = Imported & { readonly listed: readonly ImportedConversation[] }

export async function importBody(memory: Workspace, call: ImportCall): Promise<ListedImport> {
  const listed: ImportedConversation[] = []
  const onConversation = (conversation: ImportedConversation) => {
    if (listed.length < MOST_LISTED) listed.push(conversation)
  }
  const options = { ...call.options, onConversation, onBytes: toOnBytes(call.work) }
  const pieces = limitBytes(call.request, call.mostBytes)
  const isArchive = mediaTypeOf(call.request) === 'application/zip'
  const imported = isArchive
    ? await importArchive(memory, pieces, options)
    : await memory.import(pieces, options)
  return { ...imported, listed }
}

/**
 * A client that streams text knows how much it has sent. An archive is uploaded completely before it is read,
 * so its progress has to be reported, and a client that disconnects has to be noticed.
 */
function toOnBytes({ onProgress, signal }: Work): (done: number, total: number) => void {
  return (done, total) => {
    if (total === 0) return
    signal.throwIfAborted()
    onProgress?.({ done, total })
  }
}

/** Saves the archive to a private temporary folder, which is deleted afterwards. */
async function importArchive(
  memory: Workspace,
  pieces: AsyncIterable<Uint8Array>,
  options: ImportOptions,
): Promise<Imported> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-import-'))
  try {
    const path = join(folder, 'export.zip')
    await pipeline(pieces, createWriteStream(path, { mode: 0o600 }))
    return await memory.import(path, options)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
