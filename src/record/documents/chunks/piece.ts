import type { Block } from '../../../domain/document.ts'
import type { CountTokens } from '../../../domain/tokens.ts'

/** The smallest stretch that a chunk is made of: a sentence, a line of code, a row. Pieces follow one another. */
export interface Piece {
  readonly start: number
  readonly end: number
  readonly tokens: number
  /** What is lost where a chunk begins with this piece; 0 at the beginning of a paragraph. */
  readonly cost: number
  readonly isRow: boolean
  /** Of a row: the head of its table. */
  readonly head?: Head
}

/** The head of a table, which is repeated wherever the table goes on. */
export interface Head {
  readonly text: string
  readonly tokens: number
}

/** What lies under one heading, until the next. */
export interface Section {
  readonly path: readonly string[]
  /** Whether its heading can be read in the text, or was told from code or keys. */
  readonly isWritten: boolean
  readonly start: number
  readonly end: number
  readonly blocks: readonly Block[]
}

/** How large chunks are, in tokens. */
export interface ChunkSizes {
  readonly most: number
  /** Smaller ones are put together where that is possible. */
  readonly least: number
  readonly overlap: number
  readonly leastOverlap: number
  readonly mostOverlap: number
}

export interface Measure {
  readonly text: string
  readonly count: CountTokens
  readonly sizes: ChunkSizes
}

/** Two thirds, and a little more: the tokens of pieces add up to more than those of the whole. */
const LEAST_SHARE = 0.7

/** 300 and 50 make chunks of 200 to 300 tokens that share 30 to 60. */
export function toSizes(size: number, overlap: number): ChunkSizes {
  // Chunks of which half is repeated would go on for ever.
  const shared = Math.min(overlap, Math.floor(size / 3))
  return {
    most: size,
    least: Math.round(size * LEAST_SHARE),
    overlap: shared,
    leastOverlap: Math.round(shared * 0.6),
    mostOverlap: Math.round(shared * 1.2),
  }
}
