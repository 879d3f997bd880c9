import type { ChunkSizes, Piece, Section } from './piece.ts'

/** Sections that are cut together. */
export interface Run {
  readonly sections: readonly CountedSection[]
  readonly tokens: number
}

export interface CountedSection extends Pick<Section, 'path' | 'isWritten'> {
  readonly pieces: readonly Piece[]
  readonly tokens: number
}

/**
 * Puts small sections together until they make a chunk. Only such as lie beside or below the first one: its own
 * heading can be read in the chunk, and those above it are above the others too, so that the path that all have in
 * common leaves nothing unsaid.
 */
export function joinSections(sections: readonly CountedSection[], sizes: ChunkSizes): readonly Run[] {
  const runs: GrowingRun[] = []
  for (const section of sections) {
    const last = runs.at(-1)
    if (last !== undefined && isJoined(last, section, sizes)) join(last, [section])
    else runs.push({ sections: [section], tokens: section.tokens })
  }
  return joinBack(runs, sizes)
}

interface GrowingRun {
  readonly sections: CountedSection[]
  tokens: number
}

function join(run: GrowingRun, sections: readonly CountedSection[]): void {
  for (const section of sections) {
    run.sections.push(section)
    run.tokens += section.tokens
  }
}

function isJoined(run: Run, next: CountedSection, sizes: ChunkSizes): boolean {
  if (run.tokens >= sizes.least || !isBeside(run, next)) return false
  // What is hardly more than a heading goes with what follows, even if that has to be cut.
  return run.tokens + next.tokens <= sizes.most || run.tokens < sizes.least / 2
}

function isBeside({ sections: [first] }: Run, next: CountedSection): boolean {
  const above = first?.path.slice(0, -1) ?? []
  return above.every((title, i) => next.path[i] === title)
}

/** What was left over at the end of a chapter goes with what stands before it, where there is room. */
function joinBack(runs: readonly GrowingRun[], sizes: ChunkSizes): readonly Run[] {
  const joined: GrowingRun[] = []
  for (const run of runs) {
    const last = joined.at(-1)
    const [first] = run.sections
    const isSmall = run.tokens < sizes.least / 2 && last !== undefined && first !== undefined
    if (isSmall && last.tokens + run.tokens <= sizes.most && isBeside(last, first)) join(last, run.sections)
    else joined.push(run)
  }
  return joined
}
