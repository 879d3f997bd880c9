// Reads zip archives: exports of ChatGPT and Claude from disk, DOCX files from memory. The central directory is read
// first, so only the entries asked for are decompressed, one chunk at a time.
//
// 1. A directory with more entries than allowed is refused while it is read.
// 2. An entry never yields more bytes than its directory says (yauzl counts while inflating), so checking
//    `uncompressedSize` first is a safe guard against zip bombs.
// 3. Each entry is checked against its CRC-32, which yauzl does not do.

import type { Entry, ZipFile } from 'yauzl'
import { loadPackage } from './documents/readers/reader.ts'

type Yauzl = typeof import('yauzl')

export interface ZipArchive {
  /** Files by path; folders are left out. */
  readonly entries: ReadonlyMap<string, Entry>
  /** Decompresses one entry. Throws when it is damaged, after yielding what could be read. */
  readonly read: (entry: Entry) => AsyncGenerator<Uint8Array>
  readonly close: () => void
}

interface ZipLimits {
  readonly maxEntries: number
}

/** `open` chooses between a file and a buffer; it must set `autoClose: false` for a file. */
export async function openZip(
  open: (yauzl: Yauzl) => Promise<ZipFile>,
  { maxEntries }: ZipLimits,
): Promise<ZipArchive> {
  const zip = await open(await loadPackage(() => import('yauzl'), 'yauzl'))
  try {
    const entries = await readDirectory(zip, maxEntries)
    return { entries, read: (entry) => readEntry(zip, entry), close: () => zip.close() }
  } catch (error) {
    zip.close()
    throw error
  }
}

async function readDirectory(zip: ZipFile, maxEntries: number): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) {
    if (!entry.fileName.endsWith('/')) entries.set(entry.fileName, entry)
    if (entries.size > maxEntries) throw new Error(`it has more than ${maxEntries} files`)
  }
  return entries
}

async function* readEntry(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  let checksum = 0xffffffff
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    checksum = updateChecksum(checksum, chunk)
    yield chunk
  }
  if ((checksum ^ 0xffffffff) >>> 0 !== entry.crc32) throw new Error(`wrong checksum of ${entry.fileName}`)
}

/** CRC-32, one table entry for each byte. */
const CHECKSUM_TABLE: Uint32Array = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  return sum
})

function updateChecksum(checksum: number, bytes: Uint8Array): number {
  let sum = checksum
  for (const byte of bytes) sum = (CHECKSUM_TABLE[(sum ^ byte) & 0xff] as number) ^ (sum >>> 8)
  return sum
}
