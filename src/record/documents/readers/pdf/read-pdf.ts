// PDF: the text of each page in the order in which it is drawn, put together by pdf.js; what is a heading, a
// paragraph or the page's own head and foot is told from sizes and places (pdf-layout.ts).

import type { DocumentText } from '../../../../domain/document.ts'
import { isMemoryError } from '../../../../domain/errors.ts'
import { loadPackage } from '../../load-package.ts'
import { unreadable } from '../../unreadable.ts'
import type { BytesSource } from '../source.ts'
import { layOut, type OutlineEntry, type PdfLine } from './pdf-layout.ts'

/** The part of pdf.js that is used. */
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
  if (!beginsAsPdf(source.bytes)) throw unreadable(name, 'is no PDF: it does not begin as one')
  const file = await open(source)
  try {
    const pages = await readPages(file, source)
    const document = layOut(pages, (await file.getOutline()) ?? [])
    if (document.text.trim() !== '') return document
    throw unreadable(name, `has no text on its ${file.numPages} pages: they seem to be pictures`, {
      hint: 'run it through text recognition (OCR) first',
    })
  } catch (error) {
    throw toClearError(error, source)
  } finally {
    await file.destroy()
  }
}

/** Mail and browsers may put a few bytes before the file. */
function beginsAsPdf(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, 1024)).includes('%PDF-')
}

async function open(source: BytesSource): Promise<PdfFile> {
  const { getDocumentProxy } = await loadPackage(() => import('unpdf'), 'unpdf')
  try {
    // A copy, for pdf.js keeps what it is given, and no Buffer, which it refuses. Level 0: nothing is printed.
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
      hint: 'open it with its password and save or print it to a new PDF',
      cause: error,
    })
  }
  return unreadable(name, `is a broken PDF: ${error.message}`, {
    hint: 'does it open in a viewer? Saving it anew from there often mends it',
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
    pace.tell({ step: 'reading', done: number, total: file.numPages })
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
    // Marks of structure have no text.
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

/** A line looks as its longest part does: bullets and small numbers have sizes of their own. */
function lookOf(items: readonly PdfItem[]): Pick<PdfLine, 'size' | 'font'> {
  const length = ({ str = '' }: PdfItem) => str.trim().length
  const { size, font } = placeOf(items.reduce((most, item) => (length(item) > length(most) ? item : most)))
  return { size, font }
}

/** Some files draw lines one after the other without saying that they end. */
function hasMoved(current: readonly PdfItem[], item: PdfItem): boolean {
  const first = current.find(({ str }) => str?.trim() !== '')
  if (first === undefined) return false
  return Math.abs(placeOf(first).y - placeOf(item).y) > placeOf(first).size * 0.8
}
