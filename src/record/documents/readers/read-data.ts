// JSON by its keys: each member of the top-level object, and each nested object or list, is a section whose heading
// path is its key path. JSON Lines is treated as a list.

import type { Block, DocumentText } from '../../../domain/document.ts'
import { Lines } from './read-text.ts'
import { type TextSource, unreadable } from './reader.ts'

/** Deeper values stay in the section of their parent. */
const MAX_DEPTH = 6
const TITLE_CHARACTERS = 200

export function readJson({ text, name }: Pick<TextSource, 'text' | 'name'>): DocumentText {
  const problem = problemOf(text)
  if (problem === undefined) return { text, blocks: new JsonParts(text).find() }
  const blocks = readJsonLines(text)
  if (blocks !== undefined) return { text, blocks }
  throw unreadable(name, `is not valid JSON: ${problem}`, {
    hint: 'fix the file, or add it as plain text with mediaType: "text/plain"',
  })
}

function problemOf(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** Undefined unless every line is JSON. */
function readJsonLines(text: string): readonly Block[] | undefined {
  const lines = new Lines(text)
  const blocks: Block[] = []
  for (let line = 0; line < lines.count; line++) {
    if (lines.isBlank(line)) continue
    if (problemOf(lines.at(line)) !== undefined) return undefined
    blocks.push({ kind: 'row', start: lines.startOf(line), end: lines.endOf(line) })
  }
  return blocks.length > 1 ? blocks : undefined
}

interface Container {
  readonly isList: boolean
  /** The key of the next member. */
  key: string
  index: number
}

/** Scans JSON that is known to be valid, token by token. */
class JsonParts {
  readonly #text: string
  readonly #starts: { readonly at: number; readonly level: number; readonly title: string }[] = []
  readonly #open: Container[] = []
  /** Where the key of the current member starts. */
  #keyStart = -1

  constructor(text: string) {
    this.#text = text
  }

  find(): readonly Block[] {
    const mark = /["{}[\]:,]/g
    for (let found = mark.exec(this.#text); found !== null; found = mark.exec(this.#text)) {
      if (found[0] === '"') mark.lastIndex = this.#string(found.index)
      else this.#step(found[0], found.index)
    }
    return this.#toBlocks()
  }

  /** Returns where the string ends. */
  #string(start: number): number {
    const end = endOfString(this.#text, start)
    const top = this.#open.at(-1)
    if (top !== undefined && !top.isList && this.#keyStart === -1) {
      this.#keyStart = start
      top.key = this.#text.slice(start, end)
    }
    return end
  }

  #step(mark: string, at: number): void {
    if (mark === '{' || mark === '[') this.#enter(mark === '[', at)
    else if (mark === '}' || mark === ']') this.#open.pop()
    else if (mark === ':' && this.#open.length === 1) this.#begin(this.#keyStart)
    if (mark !== ':') this.#keyStart = -1
    const top = this.#open.at(-1)
    if (mark === ',' && top !== undefined) top.index += 1
  }

  #enter(isList: boolean, at: number): void {
    const top = this.#open.at(-1)
    // Members of the top-level object already started at their key.
    if (top !== undefined && (top.isList || this.#open.length > 1))
      this.#begin(top.isList ? at : this.#keyStart)
    this.#open.push({ isList, key: '', index: 0 })
  }

  #begin(at: number): void {
    const level = this.#open.length
    const top = this.#open.at(-1)
    if (top === undefined || level > MAX_DEPTH) return
    const title = top.isList ? `[${top.index}]` : JSON.parse(top.key)
    this.#starts.push({ at, level, title: title.slice(0, TITLE_CHARACTERS).toWellFormed() })
  }

  #toBlocks(): readonly Block[] {
    const first = this.#starts[0]?.at ?? this.#text.length
    const head: Block[] = first > 0 ? [{ kind: 'code', start: 0, end: first }] : []
    const parts = this.#starts.flatMap(({ at, level, title }, i): Block[] => [
      { kind: 'heading', start: at, end: at, level, title },
      { kind: 'code', start: at, end: this.#starts[i + 1]?.at ?? this.#text.length },
    ])
    return [...head, ...parts]
  }
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; ) {
    const quote = text.indexOf('"', at)
    let before = quote - 1
    while (text.charAt(before) === '\\') before -= 1
    // An even number of backslashes is escaped backslashes.
    if ((quote - before) % 2 === 1) return quote + 1
    at = quote + 1
  }
}

// CSV: finds where each row starts and ends, including line ends inside quotes. Cells are not parsed; rows are kept as
// written, with the first row as the table header.

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
