import type { Entry } from 'yauzl'
import { MemoryError } from '../../domain/errors.ts'
import { openZip, type ZipArchive } from '../../record/zip-archive.ts'
import { chooseNames } from './choose-names.ts'
import type { ImportSource, ImportSources, OnDamage } from './import-source.ts'

/** No export has a directory larger than this. */
const MAX_ENTRIES = 1_000_000

export async function openArchive(path: string): Promise<ImportSources> {
  const open = openZip((yauzl) => yauzl.openPromise(path, { autoClose: false }), { maxEntries: MAX_ENTRIES })
  const zip = await open.catch((cause) => {
    throw damaged(path, cause)
  })
  const names = chooseNames([...zip.entries.keys()])
  const sources = names.map((name) => toSource(zip, zip.entries.get(name) as Entry))
  return { sources, close: async () => zip.close() }
}

function toSource(zip: ZipArchive, entry: Entry): ImportSource {
  const { fileName: name, uncompressedSize: size } = entry
  async function* read(onDamage: OnDamage): AsyncGenerator<Uint8Array> {
    if (entry.isEncrypted())
      throw new MemoryError('invalid-input', `${name} is password-protected`, {
        hint: 'unpack the archive and import the folder',
      })
    try {
      yield* zip.read(entry)
    } catch (error) {
      // Errors of the disk are not the archive's fault.
      if (!(error instanceof Error) || 'syscall' in error) throw error
      onDamage(`the archive is damaged: ${error.message}`)
    }
  }
  return { name, size, read }
}

function damaged(path: string, cause: unknown): MemoryError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new MemoryError('invalid-input', `cannot read ${path} as a zip archive: ${reason}`, {
    hint: 'check that the download is complete, or unpack it and import the folder',
    cause,
  })
}
