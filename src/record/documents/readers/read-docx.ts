// DOCX: the text of word/document.xml in order. A paragraph is a heading by the outline level of its style, a list
// item by its numbering. Of tracked changes, insertions are kept and deletions are left out.

import type { Entry } from 'yauzl'
import type { DocumentText } from '../../../domain/document.ts'
import { isMemoryError } from '../../../domain/errors.ts'
import { openZip, type ZipArchive } from '../../zip-archive.ts'
import { type BytesSource, createXmlWalk, TextWriter, unreadable, type XmlWalk } from './reader.ts'

const MAIN_PART = 'word/document.xml'
const NOTE_PARTS = ['word/footnotes.xml', 'word/endnotes.xml']
/** The container of Word files before 2007, and of encrypted ones since. */
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0]
/** As many as fit into a zip directory without the 64-bit extension. */
const MAX_ENTRIES = 0xffff

export async function readDocx(source: BytesSource): Promise<DocumentText> {
  const { bytes, name, pace } = source
  if (COMPOUND_FILE.every((byte, i) => bytes[i] === byte)) throw notDocx(source)
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) {
    throw unreadable(name, 'is not a DOCX file: it does not start with a zip header')
  }
  const parts = await openParts(source)
  const main = await parts(MAIN_PART)
  if (main === undefined) {
    throw unreadable(name, `is a zip archive but not a DOCX file: it has no ${MAIN_PART}`, {
      code: 'unsupported-format',
      hint: 'unpack the archive and add its files one by one',
    })
  }
  pace.check()
  const walk = await createXmlWalk(name)
  const document = new WordText(readStyles(walk, (await parts('word/styles.xml')) ?? ''))
  await walkThrough(walk, { xml: main, document, source })
  for (const path of NOTE_PARTS) {
    await walkThrough(walk, { xml: (await parts(path)) ?? '', document, source })
  }
  return document.finish()
}

/** Reads a part of the archive as text; undefined if there is no such part. */
async function openParts(source: BytesSource): Promise<(path: string) => Promise<string | undefined>> {
  const { buffer, byteOffset, byteLength } = source.bytes
  const contents = Buffer.from(buffer, byteOffset, byteLength)
  const open = openZip((yauzl) => yauzl.fromBufferPromise(contents), { maxEntries: MAX_ENTRIES })
  const zip = await open.catch((cause) => {
    throw broken(source, cause)
  })
  return async (path) => {
    const entry = zip.entries.get(path)
    return entry === undefined ? undefined : readPart(source, zip, entry)
  }
}

async function readPart(source: BytesSource, zip: ZipArchive, entry: Entry): Promise<string> {
  const { name, maxBytes } = source
  if (entry.isEncrypted()) throw unreadable(name, 'is encrypted: remove the password first')
  if (entry.uncompressedSize > maxBytes) {
    throw unreadable(name, `decompresses to ${entry.uncompressedSize} bytes; the maximum is ${maxBytes}`)
  }
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of zip.read(entry)) text += decoder.decode(chunk, { stream: true })
  } catch (cause) {
    throw broken(source, cause)
  }
  return text + decoder.decode()
}

function broken({ name }: BytesSource, cause: unknown): Error {
  if (isMemoryError(cause)) return cause
  const reason = cause instanceof Error ? cause.message : String(cause)
  return unreadable(name, `is damaged: ${reason}`, {
    hint: 'check that the download is complete, or open the file in Word and save it again',
    cause,
  })
}

function notDocx({ name, bytes }: BytesSource): Error {
  const isEncrypted = new TextDecoder('utf-16le')
    .decode(bytes.slice(0, bytes.length & ~1))
    .includes('EncryptedPackage')
  return isEncrypted
    ? unreadable(name, 'is encrypted: remove the password first')
    : unreadable(name, 'is a Word file from before 2007 (.doc), not a DOCX file', {
        code: 'unsupported-format',
        hint: 'open it in Word and save it as .docx',
      })
}

interface Part {
  readonly xml: string
  readonly document: WordText
  readonly source: BytesSource
}

async function walkThrough(walk: XmlWalk, { xml, document, source }: Part): Promise<void> {
  for (const done of walk(xml, document)) {
    source.pace.report({ step: 'reading', done, total: xml.length })
    if (source.pace.isDue) await source.pace.pause()
  }
}

/** Deleted or moved text, and fallbacks for older programs. */
const HIDDEN = new Set(['w:del', 'w:moveFrom', 'mc:Fallback', 'w:instrText', 'w:fldData'])

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
  #hidden = 0
  #isText = false
  #isInNumbering = false
  /** A title shifts all headings one level down. */
  #titles = 0

  constructor(styles: StyleLevels) {
    this.#styles = styles
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#hidden > 0 || HIDDEN.has(name)) this.#hidden += 1
    else if (name === 'w:p') this.#paragraphs.push({ words: '', level: undefined, itemDepth: undefined })
    else if (name === 'w:tbl') this.#tables.push([])
    else if (name === 'w:tr') this.#tables.at(-1)?.push([])
    else if (name === 'w:tc') this.#tables.at(-1)?.at(-1)?.push('')
    else if (name === 'w:t') this.#isText = true
    // With a position it defines a tab stop and is not a tab character.
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
    if (this.#isText && this.#hidden === 0 && paragraph !== undefined) paragraph.words += words
  }

  close(name: string): void {
    if (this.#hidden > 0) this.#hidden -= 1
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

interface StyleLevel {
  /** 0 for the title, 1 for the highest heading. */
  readonly level: number | undefined
  readonly isItem: boolean
}

/** Heading levels and list items by style id. */
type StyleLevels = ReadonlyMap<string, StyleLevel>

interface Style {
  id: string
  name: string
  basedOn: string
  outlineLevel?: number
}

/** Names of built-in styles are always English; their ids are localized. */
function readStyles(walk: XmlWalk, xml: string): StyleLevels {
  const styles: Style[] = []
  const open = (name: string, attributes: Readonly<Record<string, string>>) => {
    const value = attributes['w:val'] ?? ''
    const style = styles.at(-1)
    if (name === 'w:style') styles.push({ id: attributes['w:styleId'] ?? '', name: '', basedOn: '' })
    if (style === undefined) return
    if (name === 'w:name') style.name = value.toLowerCase()
    if (name === 'w:basedOn') style.basedOn = value
    if (name === 'w:outlineLvl') style.outlineLevel = Number(value)
  }
  for (const _ of walk(xml, { open, close: () => undefined }));
  const byId = new Map(styles.map((style) => [style.id, style]))
  return new Map(styles.map((style) => [style.id, toLevel(style, byId)]))
}

/** Guards against styles that are based on each other in a cycle. */
const MAX_STYLE_DEPTH = 10

function toLevel(style: Style, byId: ReadonlyMap<string, Style>): StyleLevel {
  let current: Style | undefined = style
  for (let depth = 0; current !== undefined && depth < MAX_STYLE_DEPTH; depth++) {
    const level = ownLevel(current)
    if (level !== undefined) return { level, isItem: false }
    if (/^list/.test(current.name)) return { level: undefined, isItem: true }
    current = byId.get(current.basedOn)
  }
  return { level: undefined, isItem: false }
}

function ownLevel({ name, outlineLevel }: Style): number | undefined {
  if (name === 'title') return 0
  const [, heading] = /^heading ([1-9])$/.exec(name) ?? []
  if (heading !== undefined) return Number(heading)
  return outlineLevel !== undefined && outlineLevel < 9 ? outlineLevel + 1 : undefined
}
