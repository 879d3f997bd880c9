// CSV: finds where each row starts and ends, including line ends inside quotes. Cells are not parsed; rows are kept as
// written, with the first row as the table header.

import type { Block, DocumentText } from '../../../domain/document.ts'
import type { TextSource } from './source.ts'
import { unreadable } from './source.ts'

const DELIMITERS = [',', ';', '\t', '|']
/** Enough to detect the delimiter. */
const SAMPLE_CHARACTERS = 64 * 1024
const SAMPLE_ROWS = 50

interface Row {
  readonly start: number
  readonly end: number
}

export function readCsv({ text, name }: Pick<TextSource, 'text' | 'name'>): DocumentText {
  // Spreadsheets may declare the delimiter in the first line.
  const [declaration = '', delimiter] = /^sep=(.)\r?\n/.exec(text) ?? []
  const rows = findRows({ text, name }, delimiter ?? guessDelimiter(text), declaration.length)
  const blocks: Block[] = rows
    .filter(({ start, end }) => text.slice(start, end).trim() !== '')
    .map(({ start, end }, i) => ({ kind: i === 0 ? 'header' : 'row', start, end }))
  return { text, blocks }
}

/** The delimiter that gives the most cells per row, and the same number in most rows. */
function guessDelimiter(text: string): string {
  const sample = text.slice(0, SAMPLE_CHARACTERS)
  const lines = sample.split(/\r\n?|\n/).slice(0, SAMPLE_ROWS)
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

/** The position after a quoted cell. A quote inside an unquoted cell is an ordinary character. */
function afterQuotes({ text, name }: Pick<TextSource, 'text' | 'name'>, from: number, row: number): number {
  if (text.charAt(from) !== '"') return from
  for (let at = from + 1; ; ) {
    const quote = text.indexOf('"', at)
    if (quote === -1) {
      throw unreadable(name, `is not valid CSV: unterminated quote in row ${row}`, {
        hint: 'close the quote, or write "" for a literal quote',
      })
    }
    if (text.charAt(quote + 1) !== '"') return quote + 1
    at = quote + 2
  }
}
