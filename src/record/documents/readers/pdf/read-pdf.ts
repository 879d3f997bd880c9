// PDF: pdf.js returns the text of each page in drawing order; headings, paragraphs, page headers and footers are
// inferred from font sizes and positions (pdf-layout.ts).

import type { DocumentText } from '../../../../domain/document.ts'
import { isMemoryError } from '../../../../domain/errors.ts'
import type { BytesSource } from '../source.ts'
import { loadPackage, unreadable } from '../source.ts'
import { layOut, type OutlineEntry, type PdfLine } from './pdf-layout.ts'

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
