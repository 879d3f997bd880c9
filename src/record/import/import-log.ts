import { definedFields } from '../../domain/defined-fields.ts'
import { isMemoryError } from '../../domain/errors.ts'
import {
  type ImportCounts,
  type Imported,
  type ImportFormat,
  type ImportOptions,
  type ImportProblem,
  NO_COUNTS,
} from './imported.ts'

/** A list that a caller may print; everything beyond is for `onProblem`. */
const MOST_PROBLEMS = 1000

/** What an import did so far. */
export class ImportLog {
  format: ImportFormat | undefined
  readonly #options: Pick<ImportOptions, 'onProblem' | 'onProgress'>
  readonly #counts: { -readonly [Name in keyof ImportCounts]: number } = { ...NO_COUNTS }
  readonly #problems: ImportProblem[] = []

  constructor(options: Pick<ImportOptions, 'onProblem' | 'onProgress'> = {}) {
    this.#options = options
  }

  get imported(): Imported {
    return { ...this.#counts, ...definedFields({ format: this.format }), problems: this.#problems }
  }

  add(more: Partial<ImportCounts>): void {
    for (const [name, count] of Object.entries(more)) this.#counts[name as keyof ImportCounts] += count
  }

  /** Something did not come in. */
  skip(place: string, reason: string): void {
    this.tell({ place, reason, isSkipped: true })
  }

  tell(problem: ImportProblem): void {
    if (problem.isSkipped) this.add({ skipped: 1 })
    if (this.#problems.length < MOST_PROBLEMS) this.#problems.push(problem)
    this.#options.onProblem?.(problem)
  }

  showProgress(): void {
    this.#options.onProgress?.(this.imported)
  }
}

const OURS_TO_SKIP = new Set(['invalid-input', 'too-large', 'conflict', 'not-found'])

/** Why an entry cannot come in; anything that is not about the entry is thrown on. */
export function reasonToSkip(error: unknown): string {
  if (isMemoryError(error) && OURS_TO_SKIP.has(error.code)) return error.message
  throw error
}
