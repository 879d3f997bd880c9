// What is sent to be imported: text as it comes, piece by piece; an archive from a file of its own, since its table
// of contents stands at its end.

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

/** Enough to see what it is; a list of thousands nobody reads. */
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
 * What comes piece by piece is as far as it was sent, which the sender knows. Of an archive, all of it is here before
 * it is read: how far that is has to be told, and who hangs up meanwhile has to be noticed.
 */
function toOnBytes({ onProgress, signal }: Work): (done: number, total: number) => void {
  return (done, total) => {
    if (total === 0) return
    signal.throwIfAborted()
    onProgress?.({ done, total })
  }
}

/** In a folder that only this user can read, gone when it was read. */
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
