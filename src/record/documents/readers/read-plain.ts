// Plain text: paragraphs are told by blank lines, headings by the line of === or --- under them.

import type { Block, DocumentText } from '../../../domain/document.ts'
import { Lines } from './lines.ts'
import type { TextSource } from './source.ts'

const UNDERLINE = /^\s*(={3,}|-{3,})\s*$/
/** A longer line is a sentence above a rule. */
const LONGEST_HEADING = 120

export function readPlain({ text }: Pick<TextSource, 'text'>): DocumentText {
  const lines = new Lines(text)
  const blocks: Block[] = []
  for (let line = 0; line < lines.count; ) {
    if (lines.isBlank(line)) {
      line += 1
      continue
    }
    const level = levelOf(lines, line)
    const start = lines.startOf(line)
    if (level !== undefined) {
      blocks.push({
        kind: 'heading',
        start,
        end: lines.endOf(line + 1),
        level,
        title: lines.at(line).trim(),
      })
      line += 2
      continue
    }
    do line += 1
    while (line < lines.count && !lines.isBlank(line))
    blocks.push({ kind: 'paragraph', start, end: lines.endOf(line - 1) })
  }
  return { text, blocks }
}

function levelOf(lines: Lines, line: number): number | undefined {
  const title = lines.at(line).trim()
  const [, mark] = UNDERLINE.exec(lines.at(line + 1)) ?? []
  if (mark === undefined || title.length > LONGEST_HEADING || UNDERLINE.test(title)) return undefined
  return mark.startsWith('=') ? 1 : 2
}
