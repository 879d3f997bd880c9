// DOCX: the words of word/document.xml in order. A paragraph is a heading by the outline level of its style, an
// item by its numbering; deleted words stay out, inserted ones are in.

import type { DocumentText } from '../../../../domain/document.ts'
import { unreadable } from '../../unreadable.ts'
import type { BytesSource } from '../source.ts'
import { TextWriter } from '../text-writer.ts'
import { createXmlWalk, type XmlWalk } from '../xml-walk.ts'
import { readStyles, type StyleLevels } from './docx-styles.ts'
import { readZip } from './read-zip.ts'

const WORDS = 'word/document.xml'
const NOTES = ['word/footnotes.xml', 'word/endnotes.xml']
/** What programs of Microsoft wrote before, and write around what they encrypt. */
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0]

export async function readDocx(source: BytesSource): Promise<DocumentText> {
  const { bytes, name, pace } = source
  if (COMPOUND_FILE.every((byte, i) => bytes[i] === byte)) throw notDocx(source)
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) {
    throw unreadable(name, 'is no DOCX: it does not begin as one')
  }
  const zip = await readZip(source)
  const words = zip.read(WORDS)
  if (words === undefined) {
    throw unreadable(name, 'is a zip archive, but no DOCX: it has no document in it', {
      code: 'unsupported-format',
      hint: 'add the files that are in it one by one',
    })
  }
  pace.check()
  const walk = await createXmlWalk(name)
  const document = new WordText(readStyles(walk, zip.read('word/styles.xml') ?? ''))
  for (const xml of [words, ...NOTES.map((path) => zip.read(path) ?? '')]) {
    await walkThrough(walk, { xml, document, source })
  }
  return document.finish()
}

function notDocx({ name, bytes }: BytesSource): Error {
  const isEncrypted = new TextDecoder('utf-16le')
    .decode(bytes.slice(0, bytes.length & ~1))
    .includes('EncryptedPackage')
  return isEncrypted
    ? unreadable(name, 'is encrypted: remove the password first')
    : unreadable(name, 'is an old Word file, not a DOCX', {
        code: 'unsupported-format',
        hint: 'save it as .docx',
      })
}

interface Part {
  readonly xml: string
  readonly document: WordText
  readonly source: BytesSource
}

async function walkThrough(walk: XmlWalk, { xml, document, source }: Part): Promise<void> {
  for (const done of walk(xml, document)) {
    source.pace.tell({ step: 'reading', done, total: xml.length })
    if (source.pace.isDue) await source.pace.pause()
  }
}

/** Not seen: what was deleted or moved away, and what older programs would show instead. */
const UNSEEN = new Set(['w:del', 'w:moveFrom', 'mc:Fallback', 'w:instrText', 'w:fldData'])

const CHARACTERS: Readonly<Record<string, string>> = {
  'w:tab': '\t',
  'w:br': '\n',
  'w:cr': '\n',
  'w:noBreakHyphen': '-',
}

interface Paragraph {
  words: string
  level: number | undefined
  itemDepth: number | undefined
}

class WordText {
  readonly #writer = new TextWriter()
  readonly #styles: StyleLevels
  readonly #paragraphs: Paragraph[] = []
  readonly #tables: string[][][] = []
  #unseen = 0
  #isText = false
  #isInNumbering = false
  /** The title stands above the headings. */
  #titles = 0

  constructor(styles: StyleLevels) {
    this.#styles = styles
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#unseen > 0 || UNSEEN.has(name)) this.#unseen += 1
    else if (name === 'w:p') this.#paragraphs.push({ words: '', level: undefined, itemDepth: undefined })
    else if (name === 'w:tbl') this.#tables.push([])
    else if (name === 'w:tr') this.#tables.at(-1)?.push([])
    else if (name === 'w:tc') this.#tables.at(-1)?.at(-1)?.push('')
    else if (name === 'w:t') this.#isText = true
    // With a position it is a place for tabs, not a tab.
    else if (name !== 'w:tab' || !('w:pos' in attributes)) this.#openDetail(name, attributes['w:val'])
  }

  #openDetail(name: string, value = ''): void {
    const paragraph = this.#paragraphs.at(-1)
    if (paragraph === undefined) return
    const character = CHARACTERS[name]
    if (character !== undefined) paragraph.words += character
    else if (name === 'w:pStyle') this.#setStyle(paragraph, value)
    else if (name === 'w:outlineLvl') paragraph.level = Number(value) < 9 ? Number(value) + 1 : undefined
    else this.#openNumbering(paragraph, name, value)
  }

  #openNumbering(paragraph: Paragraph, name: string, value: string): void {
    if (name === 'w:numPr') {
      this.#isInNumbering = true
      paragraph.itemDepth ??= 0
    } else if (name === 'w:ilvl' && this.#isInNumbering) paragraph.itemDepth = Number(value) || 0
    else if (name === 'w:numId' && value === '0') paragraph.itemDepth = undefined
  }

  #setStyle(paragraph: Paragraph, style: string): void {
    const { level, isItem } = this.#styles.get(style) ?? {}
    paragraph.level = level
    if (isItem) paragraph.itemDepth ??= 0
  }

  text(words: string): void {
    const paragraph = this.#paragraphs.at(-1)
    if (this.#isText && this.#unseen === 0 && paragraph !== undefined) paragraph.words += words
  }

  close(name: string): void {
    if (this.#unseen > 0) this.#unseen -= 1
    else if (name === 'w:t') this.#isText = false
    else if (name === 'w:numPr') this.#isInNumbering = false
    else if (name === 'w:p') this.#closeParagraph()
    else if (name === 'w:tbl') this.#closeTable()
  }

  #closeParagraph(): void {
    const paragraph = this.#paragraphs.pop()
    if (paragraph === undefined) return
    const row = this.#tables.at(-1)?.at(-1)
    if (row !== undefined && row.length > 0) {
      row[row.length - 1] = `${row.at(-1)} ${paragraph.words}`.trim()
      return
    }
    const { words, level, itemDepth } = paragraph
    if (level === 0) this.#titles += 1
    if (level !== undefined) this.#writer.heading(level + Math.min(this.#titles, 1), words)
    else if (itemDepth !== undefined) this.#writer.item(words, itemDepth)
    else this.#writer.paragraph(words)
  }

  #closeTable(): void {
    const rows = this.#tables.pop() ?? []
    const row = this.#tables.at(-1)?.at(-1)
    if (row !== undefined && row.length > 0) {
      row[row.length - 1] = [row.at(-1), ...rows.map((cells) => cells.join(' '))].join(' ').trim()
    } else this.#writer.table(rows, rows.length > 1)
  }

  finish(): DocumentText {
    return this.#writer.finish()
  }
}
