import type { Block } from '../../../domain/document.ts'
import type { Section } from './piece.ts'

/** What lies under each heading, in order; together they are the whole text. */
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
