/** The lines of a text, by number: what each says, and where it stands. */
export class Lines {
  readonly #text: string
  readonly #starts: number[] = []
  readonly #ends: number[] = []

  constructor(text: string) {
    this.#text = text
    for (let start = 0; start < text.length; ) {
      const end = endOfLine(text, start)
      this.#starts.push(start)
      this.#ends.push(end)
      start = text.startsWith('\r\n', end) ? end + 2 : end + 1
    }
  }

  get count(): number {
    return this.#starts.length
  }

  /** Without its line end. Empty where there is no such line. */
  at(line: number): string {
    return this.#text.slice(this.#starts[line], this.#ends[line] ?? 0)
  }

  startOf(line: number): number {
    return this.#starts[line] ?? this.#text.length
  }

  endOf(line: number): number {
    return this.#ends[line] ?? this.#text.length
  }

  isBlank(line: number): boolean {
    return this.at(line).trim() === ''
  }
}

const LINE_END = /\r\n?|\n/g

function endOfLine(text: string, start: number): number {
  LINE_END.lastIndex = start
  return LINE_END.exec(text)?.index ?? text.length
}
