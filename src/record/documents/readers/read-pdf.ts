// PDF: pdf.js returns the text of each page in drawing order; headings, paragraphs, page headers and footers are
// inferred from font sizes and positions (pdf-layout.ts).

import type { DocumentText } from '../../../domain/document.ts'
import { isMemoryError } from '../../../domain/errors.ts'
import { type BytesSource, loadPackage, TextWriter, unreadable } from './reader.ts'

/** The part of pdf.js that we use. */
interface PdfItem {
  readonly str?: string
  readonly height: number
  readonly transform: readonly number[]
  readonly fontName: string
  readonly hasEOL: boolean
}

interface PdfFile {
  readonly numPages: number
  getPage(number: number): Promise<{
    getTextContent(): Promise<{ readonly items: readonly unknown[] }>
    cleanup(): unknown
  }>
  getOutline(): Promise<readonly OutlineEntry[] | null>
  destroy(): Promise<unknown>
}

export async function readPdf(source: BytesSource): Promise<DocumentText> {
  const { name } = source
  if (!hasPdfHeader(source.bytes)) throw unreadable(name, 'is not a PDF: it has no PDF header')
  const file = await open(source)
  try {
    const pages = await readPages(file, source)
    const document = layOut(pages, (await file.getOutline()) ?? [])
    if (document.text.trim() !== '') return document
    throw unreadable(name, `has no text on its ${file.numPages} pages: they are probably scanned images`, {
      hint: 'run text recognition (OCR) on it first',
    })
  } catch (error) {
    throw toClearError(error, source)
  } finally {
    await file.destroy()
  }
}

/** Mail programs and browsers may put a few bytes before the file. */
function hasPdfHeader(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, 1024)).includes('%PDF-')
}

async function open(source: BytesSource): Promise<PdfFile> {
  const { getDocumentProxy } = await loadPackage(() => import('unpdf'), 'unpdf')
  try {
    // A copy, because pdf.js takes ownership and rejects a Buffer. Verbosity 0 prints nothing.
    return (await getDocumentProxy(new Uint8Array(source.bytes), { verbosity: 0 })) as unknown as PdfFile
  } catch (error) {
    throw toClearError(error, source)
  }
}

function toClearError(error: unknown, { name, pace }: BytesSource): unknown {
  pace.check()
  if (isMemoryError(error) || !(error instanceof Error)) return error
  if (error.name === 'PasswordException') {
    return unreadable(name, 'is encrypted: remove the password first', {
      hint: 'open it with the password and save it without one',
      cause: error,
    })
  }
  return unreadable(name, `is a damaged PDF: ${error.message}`, {
    hint: 'open it in a PDF viewer and save it again, which often repairs it',
    cause: error,
  })
}

async function readPages(file: PdfFile, { pace }: BytesSource): Promise<readonly (readonly PdfLine[])[]> {
  const pages: (readonly PdfLine[])[] = []
  for (let number = 1; number <= file.numPages; number++) {
    const page = await file.getPage(number)
    const { items } = await page.getTextContent()
    pages.push(toLines(items as readonly PdfItem[]))
    page.cleanup()
    pace.report({ step: 'reading', done: number, total: file.numPages })
    if (pace.isDue) await pace.pause()
  }
  return pages
}

function toLines(items: readonly PdfItem[]): readonly PdfLine[] {
  const lines: PdfLine[] = []
  let current: PdfItem[] = []
  const end = () => {
    const text = current.map(({ str }) => str).join('')
    const first = current.find(({ str }) => str?.trim() !== '')
    if (first !== undefined) lines.push({ text: text.trim(), ...placeOf(first), ...lookOf(current) })
    current = []
  }
  for (const item of items) {
    // Structure markers have no text.
    if (item.str === undefined) continue
    if (item.str.trim() !== '' && hasMoved(current, item)) end()
    current.push(item)
    if (item.hasEOL) end()
  }
  end()
  return lines
}

const placeOf = ({ transform, height, fontName }: PdfItem): Omit<PdfLine, 'text'> => ({
  size: height || Math.abs(transform[3] ?? 0),
  x: transform[4] ?? 0,
  y: transform[5] ?? 0,
  font: fontName,
})

/** A line has the font of its longest part, since bullets and footnote numbers have other sizes. */
function lookOf(items: readonly PdfItem[]): Pick<PdfLine, 'size' | 'font'> {
  const length = ({ str = '' }: PdfItem) => str.trim().length
  const { size, font } = placeOf(items.reduce((most, item) => (length(item) > length(most) ? item : most)))
  return { size, font }
}

/** Some files do not mark line ends. */
function hasMoved(current: readonly PdfItem[], item: PdfItem): boolean {
  const first = current.find(({ str }) => str?.trim() !== '')
  if (first === undefined) return false
  return Math.abs(placeOf(first).y - placeOf(item).y) > placeOf(first).size * 0.8
}

// Infers headings and paragraphs from the layout of a PDF, which has glyphs and positions but no structure. If the file
// has an outline, its entries are the headings; otherwise lines that are larger than most of the text.

interface PdfLine {
  readonly text: string
  readonly size: number
  readonly x: number
  /** From the bottom of the page. */
  readonly y: number
  readonly font: string
}

interface OutlineEntry {
  readonly title: string
  readonly items?: readonly OutlineEntry[]
}

/** A heading is larger than body text by this factor. */
const HEADING_SIZE = 1.15
const HEADING_CHARACTERS = 200
/** Maximum line distance within a paragraph, relative to the font size. */
const PARAGRAPH_GAP = 1.7
/** Headers and footers cannot be detected on fewer pages. */
const PAGES_FOR_MARGINS = 4
const MARGIN_LINES = 2
const ITEM = /^(?:[•◦▪●‣·–—*-]|\(?(?:\d{1,2}|[a-z])[.)])\s+\S/u
const MARK = /^[•◦▪●‣·–—*-]\s+/u
const SENTENCE_END = /[.!?:;…"”’)\]]$/u
const BROKEN_WORD = /\p{L}[-\u00ad]$/u
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u

function layOut(pages: readonly (readonly PdfLine[])[], outline: readonly OutlineEntry[]): DocumentText {
  const lines = withoutMargins(pages).flat()
  const levelOf = createLevels(lines, outline)
  const writer = new TextWriter()
  for (let i = 0; i < lines.length; ) {
    const level = levelOf(lines[i] as PdfLine)
    let next = i + 1
    while (next < lines.length && isContinued({ lines, at: next, level }, levelOf)) next += 1
    const text = joinLines(lines.slice(i, next))
    if (level !== undefined) writer.heading(level, text)
    else if (ITEM.test(text)) writer.item(text.replace(MARK, ''), 0)
    else writer.paragraph(text)
    i = next
  }
  return writer.finish()
}

type LevelOf = (line: PdfLine) => number | undefined

interface LinePlace {
  readonly lines: readonly PdfLine[]
  readonly at: number
  /** The level of the current heading, if any. */
  readonly level: number | undefined
}

/** Whether a line continues the block of the line before it. */
function isContinued({ lines, at, level }: LinePlace, levelOf: LevelOf): boolean {
  const before = lines[at - 1] as PdfLine
  const line = lines[at] as PdfLine
  if (levelOf(line) !== level || ITEM.test(line.text)) return false
  if (Math.abs(line.size - before.size) > before.size * 0.2) return false
  const gap = before.y - line.y
  if (gap > 0) return gap <= PARAGRAPH_GAP * Math.max(before.size, line.size)
  // A sentence can continue in the next column or page; a heading cannot.
  return level === undefined && !SENTENCE_END.test(before.text) && /^[\p{Ll}\p{N}(]/u.test(line.text)
}

function joinLines(lines: readonly PdfLine[]): string {
  let text = ''
  for (const line of lines) {
    if (text === '') text = line.text
    else if (BROKEN_WORD.test(text) && /^\p{Ll}/u.test(line.text)) text = text.slice(0, -1) + line.text
    else text += (WITHOUT_SPACES.test(text) ? '' : ' ') + line.text
  }
  return text
}

/**
 * Drops page headers and footers: lines that are first or last on most pages, ignoring digits. The first occurrence is
 * kept, since it may be on the title page.
 */
function withoutMargins(pages: readonly (readonly PdfLine[])[]): readonly (readonly PdfLine[])[] {
  if (pages.length < PAGES_FOR_MARGINS) return pages
  const counts = new Map<string, number>()
  for (const lines of pages) {
    for (const key of new Set(marginsOf(lines).values())) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const seen = new Set<string>()
  return pages.map((lines) => {
    const margins = marginsOf(lines)
    return lines.filter((line) => {
      const key = margins.get(line)
      if (key === undefined || (counts.get(key) ?? 0) <= pages.length / 2) return true
      const isFirst = !seen.has(line.text) && line.text === stripNumbers(line.text)
      seen.add(line.text)
      return isFirst
    })
  })
}

const stripNumbers = (text: string): string => text.replaceAll(/\d+/g, '#')

function marginsOf(lines: readonly PdfLine[]): ReadonlyMap<PdfLine, string> {
  const keyOf = (side: string) => (line: PdfLine) => [line, `${side} ${stripNumbers(line.text)}`] as const
  return new Map([
    ...lines.slice(0, MARGIN_LINES).map(keyOf('head')),
    ...lines.slice(-MARGIN_LINES).map(keyOf('foot')),
  ])
}

function createLevels(lines: readonly PdfLine[], outline: readonly OutlineEntry[]): LevelOf {
  const entries = new Map(listEntries(outline, 1))
  if (entries.size > 0) return ({ text }) => entries.get(toKey(text))
  const body = bodySize(lines)
  const isLarge = ({ size, text }: PdfLine) =>
    size >= body * HEADING_SIZE && text.length <= HEADING_CHARACTERS && /\p{L}/u.test(text)
  const sizes = [...new Set(lines.filter(isLarge).map(({ size }) => roundSize(size)))].sort((a, b) => b - a)
  return (line) => (isLarge(line) ? Math.min(sizes.indexOf(roundSize(line.size)) + 1, 6) : undefined)
}

const roundSize = (size: number): number => Math.round(size * 2) / 2
/** Section numbers are more common in the text than in the outline. */
const toKey = (title: string): string =>
  title
    .toLowerCase()
    .replace(/^(?:[\divxlc]+[.)]?)+\s+/, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')

function listEntries(
  entries: readonly OutlineEntry[],
  level: number,
): readonly (readonly [string, number])[] {
  if (level > 6) return []
  return entries.flatMap(({ title, items = [] }) => [
    [toKey(title), level] as const,
    ...listEntries(items, level + 1),
  ])
}

/** The most frequent font size. */
function bodySize(lines: readonly PdfLine[]): number {
  const characters = new Map<number, number>()
  for (const { size, text } of lines) {
    const rounded = roundSize(size)
    characters.set(rounded, (characters.get(rounded) ?? 0) + text.length)
  }
  const [most] = [...characters].sort(([, a], [, b]) => b - a)
  return most?.[0] ?? 0
}
