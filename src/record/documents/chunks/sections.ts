import type { Block } from '../../../domain/document.ts'
import type { ChunkSizes, Piece, Section } from './find-pieces.ts'

/** Sections that are split together. */
export interface Run {
  readonly sections: readonly CountedSection[]
  readonly tokens: number
}

export interface CountedSection extends Pick<Section, 'path' | 'isWritten'> {
  readonly pieces: readonly Piece[]
  readonly tokens: number
}

/**
 * Joins small sections until they fill a chunk. Only siblings and descendants of the first section are joined: their
 * own headings are in the text of the chunk, and the headings above apply to all of them, so the common path is
 * complete.
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
  // A section that is hardly more than a heading is joined with the next one, even if that has to be split.
  return run.tokens + next.tokens <= sizes.most || run.tokens < sizes.least / 2
}

function isBeside({ sections: [first] }: Run, next: CountedSection): boolean {
  const above = first?.path.slice(0, -1) ?? []
  return above.every((title, i) => next.path[i] === title)
}

/** A small rest at the end of a chapter is joined with the section before it if there is room. */
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

/** The text under each heading, in order; together they cover the whole text. */
export function findSections(length: number, blocks: readonly Block[]): readonly Section[] {
  const sections: Section[] = []
  let above: readonly Block[] = []
  const end = (from: number, to: number) => {
    const first = blocks[from] as Block
    const start = sections.length === 0 ? 0 : first.start
    const path = above.map(({ title = '' }) => title).filter((title) => title !== '')
    const isWritten = first.kind !== 'heading' || first.end > first.start
    sections.push({
      path,
      isWritten,
      start,
      end: blocks[to]?.start ?? length,
      blocks: blocks.slice(from, to),
    })
  }
  let from = 0
  for (const [i, block] of blocks.entries()) {
    if (block.kind !== 'heading') continue
    if (i > from) end(from, i)
    above = [...above.filter(({ level = 1 }) => level < (block.level ?? 1)), block]
    from = i
  }
  if (from < blocks.length) end(from, blocks.length)
  if (sections.length === 0 && length > 0)
    sections.push({ path: [], isWritten: true, start: 0, end: length, blocks: [] })
  return sections
}
