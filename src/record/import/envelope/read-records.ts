// What an export holds, one record after the other, whatever it stands in: a list, a list under a key of an
// object, an object by itself, or a line for each.

import { JsonScanner, type Path, type Scanned, type ScannedValue } from './json-scanner.ts'
import { readLines } from './read-lines.ts'

/** Where something stands, for people who want to look it up. */
export interface RecordPlace {
  /** From 1. */
  readonly number: number
  readonly line?: number
  readonly offset?: number
}

export type ForeignRecord =
  | { readonly place: RecordPlace; readonly value: unknown; readonly text: string }
  | { readonly place: RecordPlace; readonly problem: string }

export interface RecordRules {
  readonly mostBytes: number
  /** Whether a value is a record at all; asked only after something was broken. */
  readonly isRecord: (value: unknown) => boolean
}

/** Keys under which exports keep their list. */
const LIST_KEYS = new Set(['conversations', 'chats', 'results', 'memories', 'data'])

export async function* readLineRecords(
  bytes: AsyncIterable<Uint8Array>,
  rules: RecordRules,
): AsyncGenerator<ForeignRecord> {
  let number = 0
  for await (const { number: line, text } of readLines(bytes, rules)) {
    number += 1
    const place = { number, line }
    if (text === undefined) yield { place, problem: `the line is longer than ${rules.mostBytes} bytes` }
    else yield parse(text, place)
  }
}

export async function* readDocumentRecords(
  bytes: AsyncIterable<Uint8Array>,
  rules: RecordRules,
): AsyncGenerator<ForeignRecord> {
  const records = new DocumentRecords(rules.mostBytes)
  const scanner = new JsonScanner({
    mostBytes: rules.mostBytes,
    isOpened: isEnvelope,
    isSound: (value, path) => isElement(path) && rules.isRecord(value),
  })
  for await (const piece of bytes) yield* records.take(scanner.write(piece))
  yield* records.take(scanner.end())
}

function isEnvelope(path: Path, isList: boolean): boolean {
  return path.length === 1 || (path.length === 2 && isList && LIST_KEYS.has(String(path[1])))
}

/** Elements of lists are records; an object's own fields are one, if it has no such list. */
class DocumentRecords {
  readonly #mostBytes: number
  #number = 0
  #fields: string[] = []
  #characters = 0
  #hasList = false
  #offset = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
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
    if (this.#characters <= this.#mostBytes) this.#fields.push(`${JSON.stringify(path[1])}:${text}`)
  }

  *#close(path: Path): Generator<ForeignRecord> {
    if (path.length > 1) {
      this.#hasList = true
      return
    }
    const [fields, hasList, isTooLarge] = [this.#fields, this.#hasList, this.#characters > this.#mostBytes]
    this.#fields = []
    this.#hasList = false
    this.#characters = 0
    if (hasList || fields.length === 0) return
    const place = this.#next(this.#offset)
    if (isTooLarge) yield { place, problem: `it is larger than ${this.#mostBytes} bytes` }
    else yield parse(`{${fields.join(',')}}`, place)
  }

  #next(offset: number): RecordPlace {
    this.#number += 1
    return { number: this.#number, offset }
  }
}

/** In a list of the document or of one of its keys; or by itself where documents stand in a row. */
function isElement(path: Path): boolean {
  return typeof path.at(-1) === 'number'
}

function parse(text: string, place: RecordPlace): ForeignRecord {
  try {
    return { place, text, value: JSON.parse(text) }
  } catch (error) {
    return {
      place,
      problem: `it is not valid JSON: ${error instanceof Error ? error.message : String(error)}`,
    }
  }
}
