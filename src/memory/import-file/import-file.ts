// The inputs of `memory.import`: a file, plain or gzipped, the ZIP archive of ChatGPT or Claude, a folder
// with its contents, several of them, or a stream. Everything is streamed.

import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { constants, createGunzip } from 'node:zlib'
import { isMemoryError, MemoryError } from '../../domain/errors.ts'
import {
  type ImportCounts,
  type Imported,
  type ImportOptions,
  type ImportProblem,
  NO_COUNTS,
} from '../../record/import/imported.ts'
import { findSources, type ImportSource, type OnDamage } from './find-sources.ts'

/** The path of a file, an archive or a folder, several paths, or a stream of text or bytes. */
export type ImportInput = string | readonly string[] | AsyncIterable<string | Uint8Array>

/** Imports one stream of text or bytes. */
type ImportPieces = (pieces: AsyncIterable<string | Uint8Array>, options: ImportOptions) => Promise<Imported>

export async function importFrom(
  importPieces: ImportPieces,
  input: ImportInput,
  options: ImportOptions = {},
): Promise<Imported> {
  if (typeof input === 'string') return importPath(importPieces, input, options)
  if (!Array.isArray(input)) {
    const stream = input as AsyncIterable<Uint8Array>
    return new FileImport(importPieces, [{ name: '', read: () => stream }], options).run()
  }
  const found: Awaited<ReturnType<typeof findSources>>[] = []
  try {
    for (const path of input) {
      const { sources, close } = await findSources(path)
      const named = sources.map((source) => ({
        ...source,
        name: [basename(path), source.name].filter(Boolean).join('/'),
      }))
      found.push({ sources: named, close })
    }
    const sources = found.flatMap((one) => one.sources)
    return await new FileImport(importPieces, sources, options).run()
  } finally {
    for (const { close } of found) await close()
  }
}

async function importPath(
  importPieces: ImportPieces,
  path: string,
  options: ImportOptions,
): Promise<Imported> {
  const { sources, close } = await findSources(path)
  try {
    return await new FileImport(importPieces, sources, options).run()
  } finally {
    await close()
  }
}

/** Maximum number of problems that one import returns. */
const MAX_PROBLEMS = 1000

class FileImport {
  readonly #importPieces: ImportPieces
  readonly #sources: readonly ImportSource[]
  readonly #options: ImportOptions
  readonly #total: number
  #done = 0
  #sum: Imported | undefined
  #failure: MemoryError | undefined

  constructor(importPieces: ImportPieces, sources: readonly ImportSource[], options: ImportOptions) {
    this.#importPieces = importPieces
    this.#sources = sources
    this.#options = options
    this.#total = sources.reduce((sum, { size = 0 }) => sum + size, 0)
  }

  /** If one of several files is not an export, the others are still imported. */
  async run(): Promise<Imported> {
    for (const source of this.#sources) {
      const failure = await this.#import(source).then(() => undefined, toSkippableError)
      if (failure === undefined) continue
      this.#failure ??= failure
      if (this.#sources.length > 1)
        this.#report({ place: source.name, reason: failure.message, isSkipped: true })
    }
    if (this.#failure !== undefined && this.#sum?.format === undefined) throw this.#failure
    return this.#sum ?? NO_IMPORT
  }

  async #import(source: ImportSource): Promise<void> {
    const { onProgress, onBytes: _, ...rest } = this.#options
    const damages: ImportProblem[] = []
    const onDamage = (reason: string) => damages.push({ place: source.name, reason, isSkipped: true })
    const before = this.#sum
    const bytes = gunzipIfNeeded(this.#read(source, onDamage), { onDamage })
    const importing = this.#importPieces(bytes, {
      ...rest,
      onProblem: (problem) => this.#options.onProblem?.(withName(problem, source)),
      ...(onProgress !== undefined && { onProgress: (counts) => onProgress(add(before, counts)) }),
    })
    const imported = await importing.catch((cause: unknown) => {
      throw causedBy(damages, cause)
    })
    const problems = imported.problems.map((problem) => withName(problem, source))
    this.#sum = add(before, { ...imported, problems })
    for (const damage of damages) this.#report(damage)
  }

  #report(problem: ImportProblem): void {
    this.#sum = add(this.#sum, { ...NO_IMPORT, skipped: 1, problems: [problem] })
    this.#options.onProblem?.(problem)
  }

  async *#read(source: ImportSource, onDamage: OnDamage): AsyncGenerator<Uint8Array> {
    for await (const piece of source.read(onDamage)) {
      yield piece
      this.#done += piece.length
      this.#options.onBytes?.(this.#done, this.#total)
    }
  }
}

/** If a file could not be read, report that instead of an unknown format. */
function causedBy([damage]: readonly ImportProblem[], cause: unknown): unknown {
  if (damage === undefined || !isMemoryError(cause) || cause.code !== 'invalid-input') return cause
  return new MemoryError('invalid-input', damage.reason, { hint: 'download the export again', cause })
}

/** Invalid files are skipped; other errors are rethrown. */
function toSkippableError(error: unknown): MemoryError {
  if (isMemoryError(error) && error.code === 'invalid-input') return error
  throw error
}

function withName(problem: ImportProblem, { name }: ImportSource): ImportProblem {
  return name === '' ? problem : { ...problem, place: `${name}, ${problem.place}` }
}

const NO_IMPORT: Imported = { ...NO_COUNTS, problems: [] }

function add(left: Imported | undefined, right: Imported): Imported {
  if (left === undefined) return right
  const counts = Object.keys(NO_COUNTS) as (keyof ImportCounts)[]
  const sums = Object.fromEntries(
    counts.map((name) => [name, left[name] + right[name]]),
  ) as unknown as ImportCounts
  const format = left.format ?? right.format
  const problems = [...left.problems, ...right.problems].slice(0, MAX_PROBLEMS)
  return { ...sums, ...(format !== undefined && { format }), problems }
}

interface UnpackOptions {
  readonly onDamage: OnDamage
}

/** Decompresses gzip; passes other bytes through. */
async function* gunzipIfNeeded(
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
  // With a sync flush, a truncated file still yields all bytes that are there.
  const chunks = Readable.from(packed).pipe(createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }))
  try {
    yield* chunks
  } catch (error) {
    if (!isDamage(error)) throw error
    onDamage(`the gzip file is damaged: ${error.message}`)
  }
}

function isDamage(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
}

function archiveInStream(): MemoryError {
  return new MemoryError(
    'invalid-input',
    'cannot read a zip archive from a stream: its directory is at the end',
    {
      hint: 'pass the path of the file instead',
    },
  )
}
