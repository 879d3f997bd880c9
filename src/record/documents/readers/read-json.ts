// JSON by its keys: each member of the outermost object, and each object or list further in, is a part of its own
// under the path of keys that lead to it. JSON Lines are a list without brackets.

import type { Block, DocumentText } from '../../../domain/document.ts'
import { unreadable } from '../unreadable.ts'
import { Lines } from './lines.ts'
import type { TextSource } from './source.ts'

/** Deeper parts stay with the one they are in. */
const DEEPEST = 6
const TITLE_CHARACTERS = 200

export function readJson({ text, name }: Pick<TextSource, 'text' | 'name'>): DocumentText {
  const problem = problemOf(text)
  if (problem === undefined) return { text, blocks: new JsonParts(text).find() }
  const blocks = readJsonLines(text)
  if (blocks !== undefined) return { text, blocks }
  throw unreadable(name, `is not valid JSON: ${problem}`, {
    hint: 'mend the file, or add it as text with mediaType: "text/plain"',
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

/** Undefined where not every line is JSON. */
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
  /** The next member is known by this. */
  key: string
  index: number
}

/** Goes through JSON that is known to be valid, from mark to mark. */
class JsonParts {
  readonly #text: string
  readonly #starts: { readonly at: number; readonly level: number; readonly title: string }[] = []
  readonly #open: Container[] = []
  /** Where the key of the member at hand begins. */
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
    // The members of the outermost object have begun with their key.
    if (top !== undefined && (top.isList || this.#open.length > 1))
      this.#begin(top.isList ? at : this.#keyStart)
    this.#open.push({ isList, key: '', index: 0 })
  }

  #begin(at: number): void {
    const level = this.#open.length
    const top = this.#open.at(-1)
    if (top === undefined || level > DEEPEST) return
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
    // An even number of backslashes are characters of their own.
    if ((quote - before) % 2 === 1) return quote + 1
    at = quote + 1
  }
}
