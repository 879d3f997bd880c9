/** What can be imported. */
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
  /** `auto` tells by what the first records look like. @default "auto" */
  readonly format?: ImportFormat | 'auto'
  /** Tells what would come and writes nothing. @default false */
  readonly isDryRun?: boolean
  /** What becomes of the branches beside the current one. @default "forks" */
  readonly branches?: 'forks' | 'none'
  /** Called now and then with what came so far. */
  readonly onProgress?: (imported: Imported) => void
  /** Called for every conversation of another program, once it is in. */
  readonly onConversation?: (conversation: ImportedConversation) => void
  /** Called for everything that was left out or had to be changed. Throwing stops the import. */
  readonly onProblem?: (problem: ImportProblem) => void
}

/** How much came. */
export interface ImportCounts {
  /** New conversations, without forks. */
  readonly conversations: number
  /** New messages, without those that forks copy. */
  readonly messages: number
  /** Messages and facts that were there already. */
  readonly known: number
  /** New forks: branches beside the current one. */
  readonly forks: number
  /** New pages. */
  readonly pages: number
  /** New queries. */
  readonly queries: number
  /** New documents. */
  readonly documents: number
  /** New edits: what people and applications said beside messages. */
  readonly edits: number
  /** New facts, from the memory of another program. */
  readonly facts: number
  /** What did not come in: records, messages and whole conversations. `problems` says why. */
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
  /** Missing where there was nothing to tell it by. */
  readonly format?: ImportFormat
  /** The first thousand; `onProblem` gets all. */
  readonly problems: readonly ImportProblem[]
}

/** What became of one conversation of another program. */
export interface ImportedConversation {
  /** Its id here. */
  readonly id: string
  readonly title?: string
  readonly createdAt?: Date
  readonly isNew: boolean
  readonly messages: number
  readonly known: number
  readonly forks: number
  readonly skipped: number
}

/** Something that was left out, or that came in otherwise than it stood there. */
export interface ImportProblem {
  /** `conversation 17, message 4`, `line 1234`, with the file where there are several. */
  readonly place: string
  readonly reason: string
  /** Whether something did not come in for it. */
  readonly isSkipped: boolean
}
