import type { Block, BlockKind, DocumentText } from '../../../domain/document.ts'

/** Control characters except tabs and line ends. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

/** Builds the text of a binary or HTML file as Markdown, which people and models can read, with block positions. */
export class TextWriter {
  readonly #parts: string[] = []
  readonly #blocks: Block[] = []
  #length = 0
  #last: BlockKind | undefined

  get hasHeadings(): boolean {
    return this.#blocks.some(({ kind }) => kind === 'heading')
  }

  heading(level: number, words: string): void {
    const title = clean(words).replaceAll(/\s+/g, ' ').trim()
    if (title !== '') this.#add('heading', `${'#'.repeat(Math.min(level, 6))} ${title}`, { level, title })
  }

  paragraph(words: string): void {
    this.#add('paragraph', clean(words).trim())
  }

  item(words: string, depth: number): void {
    const text = clean(words).trim()
    if (text !== '') this.#add('item', `${'  '.repeat(Math.min(depth, 8))}- ${text}`)
  }

  code(words: string): void {
    const text = clean(words)
      .replace(/^(?:[ \t]*\n)+/, '')
      .trimEnd()
    if (text !== '') this.#add('code', `\`\`\`\n${text}\n\`\`\``)
  }

  /** The first row may be the head. */
  table(rows: readonly (readonly string[])[], hasHead: boolean): void {
    const filled = rows.filter((cells) => cells.some((cell) => cell.trim() !== ''))
    const width = filled.reduce((most, cells) => Math.max(most, cells.length), 0)
    if (width < 2) {
      for (const [cell = ''] of filled) this.paragraph(cell)
      return
    }
    // Adjacent tables stay separate.
    this.#last = undefined
    for (const [i, cells] of filled.entries()) {
      const line = toLine(Array.from({ length: width }, (_, column) => cells[column] ?? ''))
      if (i > 0 || !hasHead) this.#add('row', line)
      else this.#add('header', `${line}\n${toLine(Array.from({ length: width }, () => '---'))}`)
    }
  }

  finish(): DocumentText {
    return { text: this.#parts.join(''), blocks: this.#blocks }
  }

  #add(kind: BlockKind, text: string, heading: Pick<Block, 'level' | 'title'> = {}): void {
    if (text === '') return
    const isClose = (kind === 'item' || kind === 'row') && (this.#last === kind || this.#last === 'header')
    const gap = isClose ? '\n' : '\n\n'
    if (this.#length > 0) this.#append(gap)
    const start = this.#length
    this.#append(text)
    this.#blocks.push({ kind, start, end: this.#length, ...heading })
    this.#last = kind
  }

  #append(text: string): void {
    this.#parts.push(text)
    this.#length += text.length
  }
}

const clean = (text: string): string => text.replaceAll(CONTROL, '').toWellFormed()

const toLine = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => clean(cell).replaceAll(/\s+/g, ' ').trim().replaceAll('|', '\\|')).join(' | ')} |`
