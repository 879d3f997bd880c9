import { Readable } from 'node:stream'
import { constants, createGunzip } from 'node:zlib'
import { MemoryError } from '../../domain/errors.ts'
import type { OnDamage } from './import-source.ts'

interface UnpackOptions {
  readonly onDamage: OnDamage
}

/** Bytes as they were before they were packed with gzip, if they were. */
export async function* unpack(
  packed: AsyncIterable<Uint8Array>,
  options: UnpackOptions,
): AsyncGenerator<Uint8Array> {
  const pieces = packed[Symbol.asyncIterator]()
  const first = await pieces.next()
  const head = first.done === true ? new Uint8Array() : first.value
  const rest = { [Symbol.asyncIterator]: () => pieces }
  if (isStart(head, [0x50, 0x4b, 0x03, 0x04])) throw archiveInStream()
  if (isStart(head, [0x1f, 0x8b])) yield* gunzip(follow(head, rest), options)
  else yield* follow(head, rest)
}

async function* follow(head: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head
  yield* rest
}

const isStart = (head: Uint8Array, bytes: readonly number[]): boolean =>
  bytes.every((byte, i) => head[i] === byte)

async function* gunzip(
  packed: AsyncIterable<Uint8Array>,
  { onDamage }: UnpackOptions,
): AsyncGenerator<Uint8Array> {
  // What is there of a file that was cut off comes out, down to its last byte.
  const unpacked = Readable.from(packed).pipe(createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }))
  try {
    yield* unpacked
  } catch (error) {
    if (!isDamage(error)) throw error
    onDamage(`the packed file is damaged: ${error.message}`)
  }
}

function isDamage(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
}

function archiveInStream(): MemoryError {
  return new MemoryError(
    'invalid-input',
    'an archive cannot be read from a stream: its directory is at its end',
    {
      hint: 'give the path of the file',
    },
  )
}
