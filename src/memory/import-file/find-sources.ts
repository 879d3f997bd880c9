import { createReadStream } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { MemoryError } from '../../domain/errors.ts'
import { chooseNames } from './choose-names.ts'
import type { ImportSource, ImportSources } from './import-source.ts'
import { openArchive } from './open-archive.ts'

/** An export is not nested deeper. */
const MOST_DEPTH = 4

/** What there is to import in a file, an archive or a folder. */
export async function findSources(path: string): Promise<ImportSources> {
  const found = await stat(path).catch((cause: unknown) => {
    throw new MemoryError('not-found', `there is no file ${path}`, { cause })
  })
  if (found.isDirectory()) return findInFolder(path)
  if (await isZip(path)) return needSome(await openArchive(path), path)
  return { sources: [toSource(path, '', found.size)], close: async () => undefined }
}

async function findInFolder(folder: string): Promise<ImportSources> {
  const paths = await listFiles(folder, MOST_DEPTH)
  const names = new Map(paths.map((path) => [relative(folder, path).split(sep).join('/'), path]))
  const zips = [...names].filter(([name]) => /\.zip$/i.test(name))
  const archives = await Promise.all(zips.map(([name, path]) => openInside(name, path)))
  const files = await Promise.all(
    chooseNames([...names.keys()]).map(async (name) => {
      const path = names.get(name) as string
      return toSource(path, name, (await stat(path)).size)
    }),
  )
  const all = {
    sources: [...files, ...archives.flatMap(({ sources }) => sources)],
    close: async () => {
      for (const archive of archives) await archive.close()
    },
  }
  return needSome(all, folder)
}

/** An archive that cannot be opened shows when it is read: the other files come in. */
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

function toSource(path: string, name: string, size: number): ImportSource {
  return { name, size, read: () => createReadStream(path, { highWaterMark: 1 << 18 }) }
}

async function needSome(found: ImportSources, path: string): Promise<ImportSources> {
  if (found.sources.length > 0) return found
  await found.close()
  throw new MemoryError('invalid-input', `there is no export in ${path}`, {
    hint: 'chats are looked for in conversations.json, and in any .json, .jsonl and .ndjson file',
  })
}
