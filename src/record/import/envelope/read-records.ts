// The records of an export, one by one, from a list, a list under a key of an object, a single object, or JSON lines.

import { JsonScanner, type Path, type Scanned, type ScannedValue } from './json-scanner.ts'
import { ByteBuffer } from './value-capture.ts'

/** The position of a record, for error messages. */
export interface RecordPlace {
  /** From 1. */
  readonly number: number
  readonly line?: number
  readonly offset?: number
}

export type ForeignRecord =
  | { readonly place: RecordPlace; readonly value: unknown; readonly text: string }
  | { readonly place: RecordPlace; readonly problem: string }

interface RecordRules {
  readonly maxBytes: number
  /** Whether a value is a record; called only after an error. */
  readonly isRecord: (value: unknown) => boolean
}

/** Keys of lists in known exports. */
const LIST_KEYS = new Set(['conversations', 'chats', 'results', 'memories', 'data'])

export async function* readLineRecords(
  bytes: AsyncIterable<Uint8Array>,
  rules: RecordRules,
): AsyncGenerator<ForeignRecord> {
  let number = 0
  for await (const { number: line, text } of readLines(bytes, rules)) {
    number += 1
    const place = { number, line }
    if (text === undefined) yield { place, problem: `line longer than ${rules.maxBytes} bytes` }
    else yield parse(text, place)
  }
}

export async function* readDocumentRecords(
  bytes: AsyncIterable<Uint8Array>,
  rules: RecordRules,
): AsyncGenerator<ForeignRecord> {
  const records = new DocumentRecords(rules.maxBytes)
  const scanner = new JsonScanner({
    maxBytes: rules.maxBytes,
    isOpened: isEnvelope,
    isSound: (value, path) => isElement(path) && rules.isRecord(value),
  })
  for await (const piece of bytes) yield* records.take(scanner.write(piece))
  yield* records.take(scanner.end())
}

function isEnvelope(path: Path, isList: boolean): boolean {
  return path.length === 1 || (path.length === 2 && isList && LIST_KEYS.has(String(path[1])))
}

/** List elements are records; an object without such a list is one record. */
class DocumentRecords {
  readonly #maxBytes: number
  #number = 0
  #fields: string[] = []
  #characters = 0
  #hasList = false
  #offset = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  *take(scanned: readonly Scanned[]): Generator<ForeignRecord> {
    for (const item of scanned) {
      if (item.kind === 'broken') yield { place: this.#next(item.offset), problem: item.reason }
      else if (item.kind === 'end') yield* this.#close(item.path)
      else if (isElement(item.path))
        yield { place: this.#next(item.offset), value: item.value, text: item.text }
      else this.#addField(item)
    }
  }

  #addField({ path, text, offset }: ScannedValue): void {
    if (this.#fields.length === 0) this.#offset = offset
    this.#characters += text.length
    if (this.#characters <= this.#maxBytes) this.#fields.push(`${JSON.stringify(path[1])}:${text}`)
  }

  *#close(path: Path): Generator<ForeignRecord> {
    if (path.length > 1) {
      this.#hasList = true
      return
    }
    const [fields, hasList, isTooLarge] = [this.#fields, this.#hasList, this.#characters > this.#maxBytes]
    this.#fields = []
    this.#hasList = false
    this.#characters = 0
    if (hasList || fields.length === 0) return
    const place = this.#next(this.#offset)
    if (isTooLarge) yield { place, problem: `larger than ${this.#maxBytes} bytes` }
    else yield parse(`{${fields.join(',')}}`, place)
  }

  #next(offset: number): RecordPlace {
    this.#number += 1
    return { number: this.#number, offset }
  }
}

/** In a top-level list, in a list under a key, or a separate document. */
function isElement(path: Path): boolean {
  return typeof path.at(-1) === 'number'
}

function parse(text: string, place: RecordPlace): ForeignRecord {
  try {
    return { place, text, value: JSON.parse(text) }
  } catch (error) {
    return {
      place,
      problem: `invalid JSON: ${error instanceof Error ? error.message : String(error)}`,
    }
  }
}

interface Line {
  /** From 1. */
  readonly number: number
  /** Missing if the line exceeds the limit. */
  readonly text?: string
}

const NEWLINE = 0x0a

/** The lines of a stream that are not blank. */
export async function* readLines(
  bytes: AsyncIterable<Uint8Array>,
  { maxBytes }: { readonly maxBytes: number },
): AsyncGenerator<Line> {
  const reader = new LineReader(maxBytes)
  for await (const piece of bytes) yield* reader.write(piece)
  yield* reader.end()
}

class LineReader {
  readonly #maxBytes: number
  readonly #buffer = new ByteBuffer()
  readonly #decoder = new TextDecoder()
  #number = 0
  #seen = 0
  #isTooLong = false

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  *write(piece: Uint8Array): Generator<Line> {
    this.#buffer.append(piece)
    let start = 0
    for (;;) {
      const end = this.#buffer.view.indexOf(NEWLINE, Math.max(start, this.#seen))
      if (end < 0) break
      yield* this.#take(start, end)
      start = end + 1
      this.#seen = start
    }
    this.#buffer.drop(start)
    if (this.#buffer.length > this.#maxBytes) {
      this.#isTooLong = true
      this.#buffer.drop(this.#buffer.length)
    }
    this.#seen = this.#buffer.length
  }

  *end(): Generator<Line> {
    if (this.#buffer.length > 0 || this.#isTooLong) yield* this.#take(0, this.#buffer.length)
  }

  *#take(start: number, end: number): Generator<Line> {
    this.#number += 1
    const isTooLong = this.#isTooLong || end - start > this.#maxBytes
    this.#isTooLong = false
    if (isTooLong) {
      yield { number: this.#number }
      return
    }
    const text = this.#decoder.decode(this.#buffer.view.subarray(start, end)).trim()
    if (text !== '') yield { number: this.#number, text }
  }
}
