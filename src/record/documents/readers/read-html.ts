// HTML as displayed: headings, paragraphs, lists, tables and code, without scripts, navigation and hidden elements. The
// parser tolerates the same errors as browsers.

import type { DocumentText } from '../../../domain/document.ts'
import type { TextSource } from './reader.ts'
import { loadPackage, MAX_DEPTH, TextWriter, tooDeep } from './reader.ts'

const HIDDEN = new Set(
  'script style noscript template svg canvas iframe object audio video nav select datalist dialog map'.split(
    ' ',
  ),
)
const BLOCKS = new Set(
  `address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form header
  hgroup hr legend main p section summary ul ol menu tr td th`.split(/\s+/),
)
const HEADING = /^h([1-6])$/
/** How much is parsed before yielding. */
const CHUNK_CHARACTERS = 64 * 1024

export async function readHtml({ text, name, pace }: Omit<TextSource, 'maxBytes'>): Promise<DocumentText> {
  const { Parser } = await loadPackage(() => import('htmlparser2'), 'htmlparser2')
  const page = new PageText()
  let depth = 0
  const parser = new Parser(
    {
      onopentag: (element, attributes) => {
        depth += 1
        if (depth > MAX_DEPTH) throw tooDeep(name)
        page.open(element, attributes)
      },
      ontext: (words) => page.text(words),
      onclosetag: (element) => {
        depth -= 1
        page.close(element)
      },
    },
    { decodeEntities: true },
  )
  for (let start = 0; start < text.length; start += CHUNK_CHARACTERS) {
    parser.write(text.slice(start, start + CHUNK_CHARACTERS))
    pace.report({
      step: 'reading',
      done: Math.min(start + CHUNK_CHARACTERS, text.length),
      total: text.length,
    })
    if (pace.isDue) await pace.pause()
  }
  parser.end()
  return page.finish()
}

interface Table {
  readonly rows: string[][]
  /** Text before the table in the enclosing cell. */
  readonly before: string
  /** Every cell of the first row is a heading. */
  hasHead: boolean
}

class PageText {
  #writer = new TextWriter()
  #words = ''
  #title = ''
  #hasMainHeading = false
  /** The open hidden elements. */
  #hidden: string[] = []
  #isTitle = false
  #isCode = false
  #listDepth = 0
  #isItem = false
  readonly #tables: Table[] = []

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#hidden.length > 0 || isHidden(name, attributes)) {
      if (!VOID.has(name)) this.#hidden.push(name)
    } else if (name === 'br') this.#words += '\n'
    else if (name === 'img') this.#words += attributes['alt'] ?? ''
    else if (name === 'title') this.#isTitle = true
    else if (this.#tables.length > 0) this.#openInTable(name)
    else this.#openBlock(name)
  }

  #openBlock(name: string): void {
    if (!isBlock(name)) return
    this.#flush()
    if (name === 'ul' || name === 'ol' || name === 'menu') this.#listDepth += 1
    if (name === 'li') this.#isItem = true
    if (name === 'pre') this.#isCode = true
    if (name === 'table') this.#tables.push({ rows: [], before: '', hasHead: false })
  }

  #openInTable(name: string): void {
    const table = this.#tables.at(-1) as Table
    if (name === 'table') this.#tables.push({ rows: [], before: this.#words, hasHead: false })
    else if (name === 'tr') {
      this.#words = ''
      table.rows.push([])
    } else if (name === 'td' || name === 'th') {
      if (table.rows.length === 0) table.rows.push([])
      this.#words = ''
      if (table.rows.length === 1)
        table.hasHead = name === 'th' && (table.rows[0]?.length === 0 || table.hasHead)
    } else if (isBlock(name)) this.#words += ' '
  }

  text(words: string): void {
    if (this.#hidden.length > 0) return
    if (this.#isTitle) this.#title += words
    else this.#words += this.#isCode ? words : words.replaceAll(/\s+/g, ' ')
  }

  close(name: string): void {
    if (this.#hidden.length > 0) {
      if (this.#hidden.at(-1) === name) this.#hidden.pop()
    } else if (name === 'title') this.#isTitle = false
    else if (this.#tables.length > 0) this.#closeInTable(name)
    else this.#closeBlock(name)
  }

  #closeBlock(name: string): void {
    const [, level] = HEADING.exec(name) ?? []
    if (level !== undefined) this.#flushHeading(Number(level))
    else if (isBlock(name)) this.#flush()
    if (name === 'ul' || name === 'ol' || name === 'menu') this.#listDepth = Math.max(0, this.#listDepth - 1)
    if (name === 'li') this.#isItem = false
    if (name === 'pre') this.#isCode = false
  }

  #closeInTable(name: string): void {
    const table = this.#tables.at(-1) as Table
    if (name === 'td' || name === 'th') {
      table.rows.at(-1)?.push(this.#words)
      this.#words = ''
    } else if (name === 'caption' && this.#tables.length === 1) this.#flush()
    else if (name === 'table') this.#closeTable()
  }

  /** A nested table becomes text of the enclosing cell. */
  #closeTable(): void {
    const { rows, before, hasHead } = this.#tables.pop() as Table
    if (this.#tables.length > 0) this.#words = [before, ...rows.map((cells) => cells.join(' '))].join(' ')
    else {
      this.#flush()
      this.#writer.table(rows, hasHead)
    }
  }

  finish(): DocumentText {
    this.#flush()
    if (this.#hasMainHeading || this.#title.trim() === '') return this.#writer.finish()
    // Use the <title> if the page has no <h1>.
    const whole = new TextWriter()
    whole.heading(1, this.#title)
    const { text: head, blocks: above } = whole.finish()
    const { text, blocks } = this.#writer.finish()
    const shift = head.length + 2
    return {
      text: `${head}\n\n${text}`,
      blocks: [
        ...above,
        ...blocks.map((block) => ({ ...block, start: block.start + shift, end: block.end + shift })),
      ],
    }
  }

  #flushHeading(level: number): void {
    if (level === 1 && this.#words.trim() !== '') this.#hasMainHeading = true
    this.#writer.heading(level, this.#words)
    this.#words = ''
  }

  #flush(): void {
    const words = this.#words
    this.#words = ''
    if (this.#isCode) this.#writer.code(words)
    else if (this.#isItem && words.trim() !== '') {
      this.#writer.item(tidy(words), Math.max(0, this.#listDepth - 1))
      // Further text in the same item becomes a paragraph.
      this.#isItem = false
    } else this.#writer.paragraph(tidy(words))
  }
}

const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
const isBlock = (name: string): boolean =>
  BLOCKS.has(name) || HEADING.test(name) || name === 'li' || name === 'pre' || name === 'table'

function isHidden(name: string, attributes: Readonly<Record<string, string>>): boolean {
  return (
    HIDDEN.has(name) ||
    'hidden' in attributes ||
    attributes['aria-hidden'] === 'true' ||
    /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attributes['style'] ?? '')
  )
}

const tidy = (words: string): string =>
  words
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .trim()
