// What words and other pieces of text cost in tokens, remembered. Plain text is read once, character by
// character: the hash of a word is ready when its end is reached, and no string is made for a known word.

/** A few megabytes; beyond that it begins anew. */
const MOST_REMEMBERED = 100_000
/** Longer ones hardly come again. */
const LONGEST_REMEMBERED = 32
/** Hashes that fit into a small integer are the quickest keys. */
const HASH_BITS = 0x3fffffff

const SPACE = 32
const LAST_PLAIN = 126
const SIGNS: ReadonlySet<number> = new Set([...'.,;:!?'].map((sign) => sign.charCodeAt(0)))

interface Known {
  readonly word: string
  readonly cost: number
}

export class WordCosts {
  readonly #encode: (word: string) => number
  readonly #known = new Map<number, Known>()
  readonly #pieces = new Map<string, number>()

  constructor(encode: (word: string) => number) {
    this.#encode = encode
  }

  /**
   * The sum over words between single spaces, since no piece goes on across one; undefined for a text that has anything else in it than
   * printable ASCII, and so for every text in which words are cut by other rules.
   */
  ofPlain(text: string): number | undefined {
    let sum = 0
    let start = 0
    let hash = 0
    let shorter = 0
    for (let i = 0; i <= text.length; i++) {
      const code = i === text.length ? SPACE : text.charCodeAt(i)
      if (code > LAST_PLAIN || code < SPACE) return undefined
      if (code !== SPACE) {
        shorter = hash
        hash = (Math.imul(hash, 31) + code) & HASH_BITS
        continue
      }
      if (i === start) return undefined
      // A sign that ends a word is a piece, and a token, of its own.
      const hasSign = endsWithSign(text, start, i)
      sum += hasSign
        ? 1 + this.#cost(text, start, { end: i - 1, hash: shorter })
        : this.#cost(text, start, { end: i, hash })
      start = i + 1
      hash = 0
    }
    return sum
  }

  /** The sum over pieces as the vocabulary's own rule cuts them. */
  ofPieces(pieces: readonly string[]): number {
    let sum = 0
    for (const piece of pieces) sum += this.#pieces.get(piece) ?? this.#costOfPiece(piece)
    return sum
  }

  #costOfPiece(piece: string): number {
    const copy = copyOf(piece)
    const cost = this.#encode(copy)
    if (this.#pieces.size >= MOST_REMEMBERED) this.#pieces.clear()
    if (copy.length <= LONGEST_REMEMBERED) this.#pieces.set(copy, cost)
    return cost
  }

  #cost(text: string, start: number, { end, hash }: { end: number; hash: number }): number {
    // Only the first word of a text has no space before it.
    if (start === 0) return this.ofPieces([text.slice(0, end)])
    const known = this.#known.get(hash)
    if (known !== undefined && known.word.length === end - start && isAt(text, start, known.word))
      return known.cost
    const word = copyOf(text.slice(start, end))
    const cost = this.#encode(` ${word}`)
    if (word.length <= LONGEST_REMEMBERED) this.#remember(hash, { word, cost })
    return cost
  }

  #remember(hash: number, known: Known): void {
    if (this.#known.size >= MOST_REMEMBERED) this.#known.clear()
    this.#known.set(hash, known)
  }
}

/** A string cut from a text keeps the whole text alive; a copy does not. */
function copyOf(piece: string): string {
  return Buffer.from(piece, 'utf8').toString('utf8')
}

function endsWithSign(text: string, start: number, end: number): boolean {
  if (end - start < 2 || !SIGNS.has(text.charCodeAt(end - 1))) return false
  const before = text.charCodeAt(end - 2) | 32
  return before >= 97 && before <= 122
}

function isAt(text: string, start: number, word: string): boolean {
  for (let i = 0; i < word.length; i++) {
    if (text.charCodeAt(start + i) !== word.charCodeAt(i)) return false
  }
  return true
}
