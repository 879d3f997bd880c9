// Files inside a zip archive, found by its table of contents. Each is checked against the sum that stands there, so
// that a damaged archive is told from a whole one; nothing is unpacked beyond what it may take.

import { loadPackage } from '../../load-package.ts'
import { unreadable } from '../../unreadable.ts'
import type { BytesSource } from '../source.ts'

const END_OF_CONTENTS = 0x06054b50
const ENTRY = 0x02014b50
const END_BYTES = 22
const ENTRY_BYTES = 46
const LOCAL_BYTES = 30
/** The comment at the end of an archive has at most so many. */
const MOST_COMMENT_BYTES = 0xffff
const STORED = 0
const DEFLATED = 8
const IS_ENCRYPTED = 1

interface ZipEntry {
  readonly isEncrypted: boolean
  readonly method: number
  readonly checksum: number
  readonly packedBytes: number
  readonly bytes: number
  readonly offset: number
}

export interface Zip {
  /** The words of a file in it; undefined where there is none of this name. */
  readonly read: (path: string) => string | undefined
}

export async function readZip(source: BytesSource): Promise<Zip> {
  const { inflateSync } = await loadPackage(() => import('fflate'), 'fflate')
  const entries = readContents(source)
  const unpack = (entry: ZipEntry): Uint8Array => {
    const packed = packedBytesOf(source, entry)
    if (entry.method === STORED) return packed
    if (entry.method !== DEFLATED)
      throw broken(source, `it is packed in a way that is not known (${entry.method})`)
    try {
      return inflateSync(packed, { out: new Uint8Array(entry.bytes) })
    } catch (cause) {
      throw broken(source, 'what is packed in it cannot be unpacked', cause)
    }
  }
  return {
    read: (path) => {
      const entry = entries.get(path)
      if (entry === undefined) return undefined
      if (entry.isEncrypted) {
        throw unreadable(source.name, 'is encrypted: remove the password first')
      }
      if (entry.bytes > source.mostBytes) {
        throw unreadable(
          source.name,
          `has ${entry.bytes} bytes packed in it; the most is ${source.mostBytes}`,
        )
      }
      const bytes = unpack(entry)
      if (bytes.length !== entry.bytes || checksumOf(bytes) !== entry.checksum) {
        throw broken(source, 'what is packed in it was damaged')
      }
      return new TextDecoder().decode(bytes)
    },
  }
}

function broken({ name }: BytesSource, why: string, cause?: unknown): Error {
  return unreadable(name, `is broken: ${why}`, {
    hint: 'was it downloaded to its end? Open it in the program it was made with, and save it anew',
    ...(cause !== undefined && { cause }),
  })
}

function readContents(source: BytesSource): ReadonlyMap<string, ZipEntry> {
  const { bytes } = source
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = findEnd(view)
  if (end === undefined) throw broken(source, 'it ends too early')
  const entries = new Map<string, ZipEntry>()
  let at = view.getUint32(end + 16, true)
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    if (at + ENTRY_BYTES > bytes.length || view.getUint32(at, true) !== ENTRY) {
      throw broken(source, 'its table of contents is damaged')
    }
    const nameBytes = view.getUint16(at + 28, true)
    const start = at + ENTRY_BYTES
    entries.set(new TextDecoder().decode(bytes.subarray(start, start + nameBytes)), toEntry(view, at))
    at = start + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return entries
}

function findEnd(view: DataView): number | undefined {
  const last = view.byteLength - END_BYTES
  for (let at = last; at >= 0 && at >= last - MOST_COMMENT_BYTES; at--) {
    if (view.getUint32(at, true) === END_OF_CONTENTS) return at
  }
  return undefined
}

const toEntry = (view: DataView, at: number): ZipEntry => ({
  isEncrypted: (view.getUint16(at + 8, true) & IS_ENCRYPTED) !== 0,
  method: view.getUint16(at + 10, true),
  checksum: view.getUint32(at + 16, true),
  packedBytes: view.getUint32(at + 20, true),
  bytes: view.getUint32(at + 24, true),
  offset: view.getUint32(at + 42, true),
})

function packedBytesOf(source: BytesSource, { offset, packedBytes }: ZipEntry): Uint8Array {
  const { bytes } = source
  if (offset + LOCAL_BYTES > bytes.length) throw broken(source, 'it ends too early')
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, LOCAL_BYTES)
  const start = offset + LOCAL_BYTES + view.getUint16(26, true) + view.getUint16(28, true)
  if (start + packedBytes > bytes.length) throw broken(source, 'it ends too early')
  return bytes.subarray(start, start + packedBytes)
}

/** The cyclic checksum of zip archives, a byte at a time. */
const CHECKSUMS: Uint32Array = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  return sum
})

function checksumOf(bytes: Uint8Array): number {
  let sum = 0xffffffff
  for (const byte of bytes) sum = (CHECKSUMS[(sum ^ byte) & 0xff] as number) ^ (sum >>> 8)
  return (sum ^ 0xffffffff) >>> 0
}
