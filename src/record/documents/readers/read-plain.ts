// Plain text: blank lines separate paragraphs; a line of === or --- underlines a heading.

import type { Block, DocumentText } from '../../../domain/document.ts'
import type { TextSource } from './source.ts'

const UNDERLINE = /^\s*(={3,}|-{3,})\s*$/
/** A longer line is a sentence above a horizontal rule. */
const MAX_HEADING_CHARACTERS = 120

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
  if (mark === undefined || title.length > MAX_HEADING_CHARACTERS || UNDERLINE.test(title)) return undefined
  return mark.startsWith('=') ? 1 : 2
}

/** The lines of a text by number, with their positions. */
export class Lines {
  readonly #text: string
  readonly #starts: number[] = []
  readonly #ends: number[] = []

  constructor(text: string) {
    this.#text = text
    for (let start = 0; start < text.length; ) {
      const end = endOfLine(text, start)
      this.#starts.push(start)
      this.#ends.push(end)
      start = text.startsWith('\r\n', end) ? end + 2 : end + 1
    }
  }

  get count(): number {
    return this.#starts.length
  }

  /** Without its line end. Empty if there is no such line. */
  at(line: number): string {
    return this.#text.slice(this.#starts[line], this.#ends[line] ?? 0)
  }

  startOf(line: number): number {
    return this.#starts[line] ?? this.#text.length
  }

  endOf(line: number): number {
    return this.#ends[line] ?? this.#text.length
  }

  isBlank(line: number): boolean {
    return this.at(line).trim() === ''
  }
}

const LINE_END = /\r\n?|\n/g

function endOfLine(text: string, start: number): number {
  LINE_END.lastIndex = start
  return LINE_END.exec(text)?.index ?? text.length
}
