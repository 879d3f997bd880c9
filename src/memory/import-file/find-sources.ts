import { createReadStream } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { Entry } from 'yauzl'
import { MemoryError } from '../../domain/errors.ts'
import { openZip, type ZipArchive } from '../../record/zip-archive.ts'

/** No export is nested deeper. */
const MAX_FOLDER_DEPTH = 4

/** The files to import from a file, an archive or a folder. */
export async function findSources(path: string): Promise<ImportSources> {
  const found = await stat(path).catch((cause: unknown) => {
    throw new MemoryError('not-found', `file not found: ${path}`, { cause })
  })
  if (found.isDirectory()) return findInFolder(path)
  if (await isZip(path)) return assertFound(await openArchive(path), path)
  return { sources: [toFileSource(path, '', found.size)], close: async () => undefined }
}

async function findInFolder(folder: string): Promise<ImportSources> {
  const paths = await listFiles(folder, MAX_FOLDER_DEPTH)
  const names = new Map(paths.map((path) => [relative(folder, path).split(sep).join('/'), path]))
  const zips = [...names].filter(([name]) => /\.zip$/i.test(name))
  const archives = await Promise.all(zips.map(([name, path]) => openInside(name, path)))
  const files = await Promise.all(
    chooseNames([...names.keys()]).map(async (name) => {
      const path = names.get(name) as string
      return toFileSource(path, name, (await stat(path)).size)
    }),
  )
  const all = {
    sources: [...files, ...archives.flatMap(({ sources }) => sources)],
    close: async () => {
      for (const archive of archives) await archive.close()
    },
  }
  return assertFound(all, folder)
}

/** An archive that cannot be opened fails when it is read, so that other files are imported. */
async function openInside(name: string, path: string): Promise<ImportSources> {
  try {
    const { sources, close } = await openArchive(path)
    return { sources: sources.map((source) => ({ ...source, name: `${name}/${source.name}` })), close }
  } catch (error) {
    const read = () => {
      throw error
    }
    return { sources: [{ name, read }], close: async () => undefined }
  }
}

async function listFiles(folder: string, depth: number): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const nested = entries
    .filter((entry) => entry.isDirectory() && depth > 0)
    .map((entry) => listFiles(join(folder, entry.name), depth - 1))
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(folder, entry.name))
  return [...files, ...(await Promise.all(nested)).flat()]
}

async function isZip(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    return bytesRead === 4 && buffer.readUInt32BE() === 0x504b0304
  } finally {
    await file.close()
  }
}

function toFileSource(path: string, name: string, size: number): ImportSource {
  return { name, size, read: () => createReadStream(path, { highWaterMark: 1 << 18 }) }
}

async function assertFound(found: ImportSources, path: string): Promise<ImportSources> {
  if (found.sources.length > 0) return found
  await found.close()
  throw new MemoryError('invalid-input', `no export found in ${path}`, {
    hint: 'expected conversations.json, or any .json, .jsonl or .ndjson file',
  })
}

/** No export has a directory larger than this. */
const MAX_ENTRIES = 1_000_000

async function openArchive(path: string): Promise<ImportSources> {
  const open = openZip((yauzl) => yauzl.openPromise(path, { autoClose: false }), { maxEntries: MAX_ENTRIES })
  const zip = await open.catch((cause) => {
    throw damaged(path, cause)
  })
  const names = chooseNames([...zip.entries.keys()])
  const sources = names.map((name) => toZipSource(zip, zip.entries.get(name) as Entry))
  return { sources, close: async () => zip.close() }
}

function toZipSource(zip: ZipArchive, entry: Entry): ImportSource {
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

/** The chats of ChatGPT and Claude; large exports are split into numbered files. */
const CHATS = /(?:^|\/)conversations(?:-\d+)?\.json(?:\.gz)?$/i
/** Claude's memories of the user. */
const MEMORIES = /(?:^|\/)memories(?:\/[^/]+)?\.json$/i
const DOCUMENTS = /\.(?:json|jsonl|ndjson)(?:\.gz)?$/i
/** Files that operating systems add. */
const HIDDEN = /(?:^|\/)(?:__MACOSX\/|\.)/

/**
 * Chooses the files of a folder or archive to read. Archives of ChatGPT and Claude contain much more than the
 * chats, which is skipped; in any other, every file that may be an export is tried.
 */
export function chooseNames(names: readonly string[]): readonly string[] {
  const visible = names.filter((name) => !HIDDEN.test(name)).toSorted()
  const chats = visible.filter((name) => CHATS.test(name))
  if (chats.length > 0) return [...chats, ...visible.filter((name) => MEMORIES.test(name))]
  return visible.filter((name) => DOCUMENTS.test(name))
}

/** Called when a file is damaged; everything before the damage is used. */
export type OnDamage = (reason: string) => void

/** One file of an export, on disk or in an archive. */
export interface ImportSource {
  /** The path within the folder or archive; empty for a single file. */
  readonly name: string
  /** Size in bytes; undefined if unknown. */
  readonly size?: number
  read(onDamage: OnDamage): AsyncIterable<Uint8Array>
}

interface ImportSources {
  readonly sources: readonly ImportSource[]
  close(): Promise<void>
}
