// An archive is read through its directory, which stands at its end: only what is chosen is unpacked, and never
// more than a piece of it is held.

import type { Entry, ZipFile } from 'yauzl'
import { MemoryError } from '../../domain/errors.ts'
import { chooseNames } from './choose-names.ts'
import type { ImportSource, ImportSources, OnDamage } from './import-source.ts'

/** A directory larger than this is no export. */
const MOST_ENTRIES = 1_000_000

export async function openZip(path: string): Promise<ImportSources> {
  const { openPromise } = await import('yauzl')
  const zip = await openPromise(path, { autoClose: false }).catch((cause) => {
    throw damaged(path, cause)
  })
  try {
    const entries = await readDirectory(zip)
    const chosen = chooseNames([...entries.keys()])
    const sources = chosen.map((name) => toSource(zip, entries.get(name) as Entry))
    return { sources, close: async () => zip.close() }
  } catch (cause) {
    zip.close()
    throw damaged(path, cause)
  }
}

async function readDirectory(zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) {
    if (!entry.fileName.endsWith('/')) entries.set(entry.fileName, entry)
    if (entries.size > MOST_ENTRIES) throw new Error(`it has more than ${MOST_ENTRIES} files`)
  }
  return entries
}

function toSource(zip: ZipFile, entry: Entry): ImportSource {
  const { fileName: name, uncompressedSize: size } = entry
  async function* read(onDamage: OnDamage): AsyncGenerator<Uint8Array> {
    if (entry.isEncrypted())
      throw new MemoryError('invalid-input', `${name} is locked with a password`, {
        hint: 'unpack the archive and import the folder',
      })
    try {
      yield* await zip.openReadStreamPromise(entry)
    } catch (error) {
      // What the disk says is no matter of the archive.
      if (!(error instanceof Error) || 'syscall' in error) throw error
      onDamage(`the archive is damaged: ${error.message}`)
    }
  }
  return { name, size, read }
}

function damaged(path: string, cause: unknown): MemoryError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new MemoryError('invalid-input', `${path} cannot be read as an archive: ${why}`, {
    hint: 'was the download complete? Fetch it again, or unpack what can be unpacked and import the folder',
    cause,
  })
}
