// The way from a disk to `memory.import`: a file, plain or packed with gzip, the zip that ChatGPT or Claude sends,
// or a folder with what was in it. All of it is read piece by piece.

import { isMemoryError, MemoryError } from '../../domain/errors.ts'
import {
  type ImportCounts,
  type Imported,
  type ImportOptions,
  type ImportProblem,
  NO_COUNTS,
} from '../../record/import/imported.ts'
import type { Memory } from '../memory.ts'
import { findSources } from './find-sources.ts'
import type { ImportSource, OnDamage } from './import-source.ts'
import { unpack } from './unpack.ts'

export interface ImportFileOptions extends ImportOptions {
  /** Called as bytes are read; `total` is 0 where it is not known. */
  readonly onBytes?: (done: number, total: number) => void
}

/** Imports a file, an archive or a folder by its path, or what a stream brings. */
export async function importFile(
  memory: Pick<Memory, 'import'>,
  file: string | AsyncIterable<Uint8Array>,
  options: ImportFileOptions = {},
): Promise<Imported> {
  if (typeof file !== 'string') return new FileImport(memory, [{ name: '', read: () => file }], options).run()
  const { sources, close } = await findSources(file)
  try {
    return await new FileImport(memory, sources, options).run()
  } finally {
    await close()
  }
}

/** As many as one import keeps. */
const MOST_PROBLEMS = 1000

class FileImport {
  readonly #memory: Pick<Memory, 'import'>
  readonly #sources: readonly ImportSource[]
  readonly #options: ImportFileOptions
  readonly #total: number
  #done = 0
  #sum: Imported | undefined
  #failure: MemoryError | undefined

  constructor(memory: Pick<Memory, 'import'>, sources: readonly ImportSource[], options: ImportFileOptions) {
    this.#memory = memory
    this.#sources = sources
    this.#options = options
    this.#total = sources.reduce((sum, { size = 0 }) => sum + size, 0)
  }

  /** Where one of several files is no export, the others come in. */
  async run(): Promise<Imported> {
    for (const source of this.#sources) {
      const failure = await this.#import(source).then(() => undefined, reasonToGoOn)
      if (failure === undefined) continue
      this.#failure ??= failure
      if (this.#sources.length > 1)
        this.#tell({ place: source.name, reason: failure.message, isSkipped: true })
    }
    if (this.#failure !== undefined && this.#sum?.format === undefined) throw this.#failure
    return this.#sum ?? NOTHING
  }

  async #import(source: ImportSource): Promise<void> {
    const { onProgress, onBytes: _, ...rest } = this.#options
    const damages: ImportProblem[] = []
    const onDamage = (reason: string) => damages.push({ place: source.name, reason, isSkipped: true })
    const before = this.#sum
    const bytes = unpack(this.#read(source, onDamage), { onDamage })
    const importing = this.#memory.import(bytes, {
      ...rest,
      onProblem: (problem) => this.#options.onProblem?.(withName(problem, source)),
      ...(onProgress !== undefined && { onProgress: (far) => onProgress(add(before, far)) }),
    })
    const imported = await importing.catch((cause: unknown) => {
      throw causedBy(damages, cause)
    })
    const problems = imported.problems.map((problem) => withName(problem, source))
    this.#sum = add(before, { ...imported, problems })
    for (const damage of damages) this.#tell(damage)
  }

  #tell(problem: ImportProblem): void {
    this.#sum = add(this.#sum, { ...NOTHING, skipped: 1, problems: [problem] })
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

/** Where a file could not be read at all, it is that and not its format that is wrong. */
function causedBy([damage]: readonly ImportProblem[], cause: unknown): unknown {
  if (damage === undefined || !isMemoryError(cause) || cause.code !== 'invalid-input') return cause
  return new MemoryError('invalid-input', damage.reason, { hint: 'fetch the export again', cause })
}

/** A file that is no export says nothing about the others. */
function reasonToGoOn(error: unknown): MemoryError {
  if (isMemoryError(error) && error.code === 'invalid-input') return error
  throw error
}

function withName(problem: ImportProblem, { name }: ImportSource): ImportProblem {
  return name === '' ? problem : { ...problem, place: `${name}, ${problem.place}` }
}

const NOTHING: Imported = { ...NO_COUNTS, problems: [] }

function add(left: Imported | undefined, right: Imported): Imported {
  if (left === undefined) return right
  const counts = Object.keys(NO_COUNTS) as (keyof ImportCounts)[]
  const sums = Object.fromEntries(
    counts.map((name) => [name, left[name] + right[name]]),
  ) as unknown as ImportCounts
  const format = left.format ?? right.format
  const problems = [...left.problems, ...right.problems].slice(0, MOST_PROBLEMS)
  return { ...sums, ...(format !== undefined && { format }), problems }
}
