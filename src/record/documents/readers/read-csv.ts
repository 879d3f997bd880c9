// CSV by its rows: where each begins and ends, quoted line ends and all. Nothing is taken apart: rows are handed
// on as they were written, with the first one as the head of the table.

import type { Block, DocumentText } from '../../../domain/document.ts'
import { unreadable } from '../unreadable.ts'
import type { TextSource } from './source.ts'

const DELIMITERS = [',', ';', '\t', '|']
/** Enough to tell which mark stands between cells. */
const LOOKED_AT = 64 * 1024
const LOOKED_AT_ROWS = 50

interface Row {
  readonly start: number
  readonly end: number
}

export function readCsv({ text, name }: Pick<TextSource, 'text' | 'name'>): DocumentText {
  // Spreadsheets may say in a first line which mark they use.
  const [told = '', delimiter] = /^sep=(.)\r?\n/.exec(text) ?? []
  const rows = findRows({ text, name }, delimiter ?? guessDelimiter(text), told.length)
  const blocks: Block[] = rows
    .filter(({ start, end }) => text.slice(start, end).trim() !== '')
    .map(({ start, end }, i) => ({ kind: i === 0 ? 'header' : 'row', start, end }))
  return { text, blocks }
}

/** The mark by which the rows have the most cells, and all as many. */
function guessDelimiter(text: string): string {
  const sample = text.slice(0, LOOKED_AT)
  const lines = sample.split(/\r\n?|\n/).slice(0, LOOKED_AT_ROWS)
  const scores = DELIMITERS.map((delimiter) => {
    const cells = lines.filter((line) => line.trim() !== '').map((line) => countCells(line, delimiter))
    const [first = 1] = cells
    const alike = cells.filter((count) => count === first).length / Math.max(cells.length, 1)
    return first > 1 ? alike * first : 0
  })
  return DELIMITERS[scores.indexOf(Math.max(...scores))] ?? ','
}

const countCells = (line: string, delimiter: string): number =>
  line.replaceAll(/"(?:[^"]|"")*"/g, '').split(delimiter).length

function findRows(
  { text, name }: Pick<TextSource, 'text' | 'name'>,
  delimiter: string,
  from: number,
): readonly Row[] {
  const rows: Row[] = []
  const mark = new RegExp(`[${delimiter.replace(/[\\\]^-]/, '\\$&')}\\r\\n]`, 'g')
  for (let start = from, at = from; start < text.length; ) {
    mark.lastIndex = afterQuotes({ text, name }, at, rows.length + 1)
    const end = mark.exec(text)?.index ?? text.length
    at = text.startsWith('\r\n', end) ? end + 2 : end + 1
    if (text.charAt(end) === delimiter) continue
    rows.push({ start, end })
    start = at
  }
  return rows
}

/** Behind the quotes of a cell that begins with them; a quote further in is a character like any other. */
function afterQuotes({ text, name }: Pick<TextSource, 'text' | 'name'>, from: number, row: number): number {
  if (text.charAt(from) !== '"') return from
  for (let at = from + 1; ; ) {
    const quote = text.indexOf('"', at)
    if (quote === -1) {
      throw unreadable(name, `is broken: row ${row} opens a quote that is never closed`, {
        hint: 'close the quote, or write it twice where it is meant as a character',
      })
    }
    if (text.charAt(quote + 1) !== '"') return quote + 1
    at = quote + 2
  }
}
