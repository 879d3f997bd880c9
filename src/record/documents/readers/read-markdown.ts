// Markdown line by line: headings, paragraphs, list items, code and tables with their positions, which Markdown parsers
// do not keep. There is no backtracking, so it takes linear time for any file. Headings, code and tables are tested
// against a full parser.

import type { Block, BlockKind, DocumentText } from '../../../domain/document.ts'
import { Lines } from './read-text.ts'
import type { TextSource } from './reader.ts'

const FENCE = /^(\s*)(`{3,}(?=[^`]*$)|~{3,})/
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/
const RULE = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/
const ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/
/** An empty item, or a number inside a sentence, does not end a paragraph. */
const INTERRUPTING_ITEM = /^ {0,3}(?:[-*+]|1[.)])[ \t]+\S/
const QUOTE = /^ {0,3}>/
const INDENTED = /^(?: {4}| {0,3}\t)/
const DELIMITER_ROW = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/
const HTML_COMMENT = /^ {0,3}<!--/
const HTML_VERBATIM = /^ {0,3}<(pre|script|style|textarea)(?=[\s>]|$)/i
const HTML =
  /^ {0,3}<(?:[?!]|\/?(?:address|article|aside|blockquote|body|center|dd|details|div|dl|dt|figure|footer|form|h[1-6]|head|header|hr|html|iframe|li|link|main|nav|ol|p|section|summary|table|tbody|td|tfoot|th|thead|title|tr|ul)(?=[\s/>]|$))/i

/** Longer lines are text, whatever they start with. */
const MAX_MARKUP_LINE_CHARACTERS = 5000

export function readMarkdown({ text }: Pick<TextSource, 'text'>): DocumentText {
  return { text, blocks: new MarkdownBlocks(text).find() }
}

class MarkdownBlocks {
  readonly #lines: Lines
  readonly #blocks: Block[] = []
  #isInList = false

  constructor(text: string) {
    this.#lines = new Lines(text)
  }

  find(): readonly Block[] {
    for (let line = this.#frontMatter(); line < this.#lines.count; ) line = this.#take(line)
    return this.#blocks
  }

  /** Each method returns the line to continue at, or undefined if it does not apply. */
  #take(line: number): number {
    if (this.#lines.isBlank(line)) return line + 1
    const next =
      this.#fence(line) ??
      this.#indentedCode(line) ??
      this.#heading(line) ??
      this.#table(line) ??
      this.#rule(line) ??
      this.#html(line) ??
      this.#item(line)
    return next ?? this.#paragraph(line)
  }

  #at(line: number): string {
    const isLong = this.#lines.endOf(line) - this.#lines.startOf(line) > MAX_MARKUP_LINE_CHARACTERS
    return isLong ? 'a long line' : this.#lines.at(line)
  }

  #push(kind: BlockKind, first: number, last: number): void {
    this.#blocks.push({ kind, start: this.#lines.startOf(first), end: this.#lines.endOf(last) })
  }

  #pushHeading(first: number, last: number, { level, title }: { level: number; title: string }): void {
    const place = { start: this.#lines.startOf(first), end: this.#lines.endOf(last) }
    this.#blocks.push({ kind: 'heading', ...place, level, title: toPlainTitle(title) })
  }

  #frontMatter(): number {
    if (this.#at(0).trimEnd() !== '---') return 0
    for (let line = 1; line < this.#lines.count; line++) {
      if (/^(?:---|\.\.\.)\s*$/.test(this.#at(line))) {
        this.#push('code', 0, line)
        return line + 1
      }
    }
    return 0
  }

  #fence(line: number): number | undefined {
    const [, indent = '', mark] = FENCE.exec(this.#at(line)) ?? []
    if (mark === undefined || (!this.#isInList && indent.length > 3)) return undefined
    const isClosing = (text: string) => {
      const closing = text.trim()
      return closing.length >= mark.length && closing === mark.charAt(0).repeat(closing.length)
    }
    let last = line + 1
    while (last < this.#lines.count && !isClosing(this.#at(last))) last += 1
    last = Math.min(last, this.#lines.count - 1)
    this.#push('code', line, last)
    if (indent === '') this.#isInList = false
    return last + 1
  }

  #indentedCode(line: number): number | undefined {
    if (this.#isInList || !INDENTED.test(this.#at(line))) return undefined
    let last = line
    for (let next = line + 1; next < this.#lines.count; next++) {
      if (INDENTED.test(this.#at(next))) last = next
      else if (!this.#lines.isBlank(next)) break
    }
    this.#push('code', line, last)
    return last + 1
  }

  #heading(line: number): number | undefined {
    const [, marks, title = ''] = HEADING.exec(this.#at(line)) ?? []
    if (marks === undefined) return undefined
    this.#pushHeading(line, line, { level: marks.length, title })
    this.#isInList = false
    return line + 1
  }

  #table(line: number): number | undefined {
    if (!this.#isTable(line)) return undefined
    this.#push('header', line, line + 1)
    let next = line + 2
    for (; next < this.#lines.count && !this.#lines.isBlank(next) && !this.#isInterrupted(next); next++) {
      this.#push('row', next, next)
    }
    return next
  }

  /** A line with bars above a line of dashes with the same number of cells. */
  #isTable(line: number): boolean {
    const delimiters = this.#at(line + 1)
    if (!delimiters.includes('-') || !DELIMITER_ROW.test(delimiters)) return false
    const head = this.#at(line)
    return (head + delimiters).includes('|') && countCells(head) === countCells(delimiters)
  }

  #rule(line: number): number | undefined {
    if (!RULE.test(this.#at(line))) return undefined
    this.#push('paragraph', line, line)
    this.#isInList = false
    return line + 1
  }

  /** A comment ends with `-->`, verbatim text with its closing tag, anything else at a blank line. */
  #html(line: number): number | undefined {
    const text = this.#at(line)
    const [, tag] = HTML_VERBATIM.exec(text) ?? []
    const isEnd = (at: number) => this.#lines.isBlank(at + 1)
    if (HTML_COMMENT.test(text)) return this.#until(line, 'paragraph', (at) => this.#at(at).includes('-->'))
    if (tag !== undefined) {
      const closing = `</${tag.toLowerCase()}>`
      return this.#until(line, 'code', (at) => this.#at(at).toLowerCase().includes(closing))
    }
    return HTML.test(text) ? this.#until(line, 'paragraph', isEnd) : undefined
  }

  #until(line: number, kind: BlockKind, isLast: (line: number) => boolean): number {
    let last = line
    while (last < this.#lines.count - 1 && !isLast(last)) last += 1
    this.#push(kind, line, last)
    return last + 1
  }

  #item(line: number): number | undefined {
    const text = this.#at(line)
    if (!ITEM.test(text) || (!this.#isInList && INDENTED.test(text))) return undefined
    this.#isInList = true
    let next = line + 1
    while (this.#continues(next) && !RULE.test(this.#at(next)) && !ITEM.test(this.#at(next))) next += 1
    this.#push('item', line, next - 1)
    return next
  }

  #paragraph(line: number): number {
    const text = this.#at(line)
    if (!/^[ \t]/.test(text)) this.#isInList = false
    if (QUOTE.test(text)) return this.#quote(line)
    let next = line + 1
    for (; this.#continues(next); next++) {
      const [, mark] = UNDERLINE.exec(this.#at(next)) ?? []
      if (mark === undefined) continue
      const title = this.#textOf(line, next)
      this.#pushHeading(line, next, { level: mark.startsWith('=') ? 1 : 2, title })
      return next + 1
    }
    this.#push('paragraph', line, next - 1)
    return next
  }

  #quote(line: number): number {
    let next = line + 1
    while (QUOTE.test(this.#at(next)) || (this.#continues(next) && !RULE.test(this.#at(next)))) next += 1
    this.#push('paragraph', line, next - 1)
    return next
  }

  #textOf(first: number, end: number): string {
    return Array.from({ length: end - first }, (_, i) => this.#at(first + i)).join(' ')
  }

  /** Whether the line belongs to the paragraph before it. */
  #continues(line: number): boolean {
    if (line >= this.#lines.count || this.#lines.isBlank(line) || this.#isTable(line)) return false
    return UNDERLINE.test(this.#at(line)) || !this.#isInterrupted(line)
  }

  #isInterrupted(line: number): boolean {
    const text = this.#at(line)
    const isHtml = HTML.test(text) || HTML_COMMENT.test(text) || HTML_VERBATIM.test(text)
    return (
      isHtml || [HEADING, RULE, INTERRUPTING_ITEM, QUOTE].some((start) => start.test(text)) || isFence(text)
    )
  }
}

const isFence = (text: string): boolean => (FENCE.exec(text)?.[1] ?? '    ').length < 4

/** Counts the bars between cells, without escaped ones and those at either end. */
function countCells(row: string): number {
  const inner = row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
  return inner.split(/(?<!\\)\|/).length
}

const MARKS: readonly (readonly [RegExp, string])[] = [
  [/!\[([^\]]*)\]\([^)]*\)/g, '$1'],
  [/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1'],
  [/<[^<>]+>/g, ''],
  [/`+([^`]+)`+/g, '$1'],
  [/(\*\*|__|~~)(?=\S)(.+?)\1/g, '$2'],
  [/(^|[^\p{L}\p{N}_*])([*_])(?=\S)([^*_]+)\2(?![\p{L}\p{N}])/gu, '$1$3'],
  [/\\([!-/:-@[-`{-~])/g, '$1'],
]

/** Limits the time spent on a title. */
const MAX_TITLE_CHARACTERS = 500

/** The text of a heading without markup and links. */
function toPlainTitle(markdown: string): string {
  const short = markdown.slice(0, MAX_TITLE_CHARACTERS).toWellFormed()
  const open = short.replace(/(?:^|[ \t]+)#+[ \t]*$/, '')
  const plain = MARKS.reduce((text, [mark, words]) => text.replace(mark, words), open)
  return plain.replaceAll(/\s+/g, ' ').trim()
}
