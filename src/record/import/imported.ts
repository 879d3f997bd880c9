import { definedFields } from '../../domain/defined-fields.ts'
import { isMemoryError } from '../../domain/errors.ts'

/** Supported import formats. */
export const IMPORT_FORMATS = [
  'recollect',
  'chatgpt',
  'claude',
  'librechat',
  'open-webui',
  'openai',
  'mem0',
] as const
export type ImportFormat = (typeof IMPORT_FORMATS)[number]

export interface ImportOptions {
  /** `auto` detects the format from the first records. @default "auto" */
  readonly format?: ImportFormat | 'auto'
  /** Returns what would be imported and writes nothing. @default false */
  readonly dryRun?: boolean
  /** Whether branches other than the current one become forks or are left out. @default "forks" */
  readonly branches?: 'forks' | 'none'
  /** Called as bytes are read; `total` is 0 if it is unknown. */
  readonly onBytes?: (done: number, total: number) => void
  /** Called repeatedly with the counts so far. */
  readonly onProgress?: (imported: Imported) => void
  /** Called for every conversation of another program after it was imported. */
  readonly onConversation?: (conversation: ImportedConversation) => void
  /** Called for everything that was skipped or changed. Throwing stops the import. */
  readonly onProblem?: (problem: ImportProblem) => void
}

/** How much was imported. */
export interface ImportCounts {
  /** New conversations, without forks. */
  readonly conversations: number
  /** New messages, without those that forks copy. */
  readonly messages: number
  /** Messages and facts that were already stored. */
  readonly known: number
  /** New forks, made from branches. */
  readonly forks: number
  /** New pages. */
  readonly pages: number
  /** New queries. */
  readonly queries: number
  /** New documents. */
  readonly documents: number
  /** New edits: corrections, pins, notes and the like. */
  readonly edits: number
  /** New facts, from the memory of another program. */
  readonly facts: number
  /** Records, messages and conversations that were skipped; `problems` has the reasons. */
  readonly skipped: number
}

export const NO_COUNTS: ImportCounts = Object.freeze({
  conversations: 0,
  messages: 0,
  known: 0,
  forks: 0,
  pages: 0,
  queries: 0,
  documents: 0,
  edits: 0,
  facts: 0,
  skipped: 0,
})

export interface Imported extends ImportCounts {
  /** Missing if there was nothing to detect it from. */
  readonly format?: ImportFormat
  /** The first thousand; `onProblem` gets all. */
  readonly problems: readonly ImportProblem[]
}

/** The result for one conversation of another program. */
export interface ImportedConversation {
  /** Its id in this memory. */
  readonly id: string
  readonly title?: string
  readonly createdAt?: Date
  readonly isNew: boolean
  readonly messages: number
  readonly known: number
  readonly forks: number
  readonly skipped: number
}

/** Something that was skipped, or changed on import. */
export interface ImportProblem {
  /** `conversation 17, message 4` or `line 1234`; with the file name if there are several. */
  readonly place: string
  readonly reason: string
  /** Whether something was skipped because of it. */
  readonly isSkipped: boolean
}

/** The returned list is short enough to print; `onProblem` receives all. */
const MAX_PROBLEMS = 1000

/** The counts and problems of an import in progress. */
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

  /** Reports something that was skipped. */
  skip(place: string, reason: string): void {
    this.report({ place, reason, isSkipped: true })
  }

  report(problem: ImportProblem): void {
    if (problem.isSkipped) this.add({ skipped: 1 })
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push(problem)
    this.#options.onProblem?.(problem)
  }

  showProgress(): void {
    this.#options.onProgress?.(this.imported)
  }
}

const SKIPPABLE_CODES = new Set(['invalid-input', 'too-large', 'conflict', 'not-found'])

/** The reason to skip an entry; errors that are not about the entry are rethrown. */
export function reasonToSkip(error: unknown): string {
  if (isMemoryError(error) && SKIPPABLE_CODES.has(error.code)) return error.message
  throw error
}

/** Writes a batch at once. If that fails because of an entry, writes them one by one and skips that entry. */
export async function writeBatch<Waiting extends { readonly place: string }>(
  batch: readonly Waiting[],
  log: ImportLog,
  write: (waiting: readonly Waiting[]) => Promise<void>,
): Promise<void> {
  try {
    await write(batch)
  } catch (error) {
    const reason = reasonToSkip(error)
    if (batch.length === 1) log.skip((batch[0] as Waiting).place, reason)
    else for (const waiting of batch) await writeBatch([waiting], log, write)
  }
}
