// The tokens of a vocabulary by their bytes, and the costs of other pieces that were counted recently.
//
// Entries are stored consecutively in one array: the length, three bytes of number, the bytes themselves.
// Tokens are first, and their number is their rank; cached pieces follow, and their number is their cost.
// Entries are found through a hash table (open addressing, linear probing, at most half full). A slot holds the
// offset of an entry in its low bits and a part of the hash in its high bits, so that a wrong slot is hardly
// ever followed. A candidate is compared byte by byte: results are exact, whatever the hash does.
//
// Invariants:
// 1. A search gives up after MOST_STEPS slots. Every token is found within them (checked when the table is
//    built), and a piece that would not be is not cached. So no choice of input can make searching slow.
// 2. Tokens are inserted first, and their slots do not depend on later entries: cached pieces can be evicted,
//    all at once, by clearing their slots.
//
// No string is created for any token, which is why 200,000 of them take 6 MB and not 60.

/** Not a token: higher than any rank, so that it loses every comparison. */
export const NO_RANK = 0x7fffffff

/** Ranks are below this. */
export const MAX_TOKENS = 262_144

/** The size of an entry before its bytes: the length and the number. */
export const HEAD_BYTES = 4

/** The offset of an entry, plus one, since an empty slot is 0. */
const PLACE_BITS = (1 << 22) - 1
const LAST_SLOT = (1 << 19) - 1
const MOST_STEPS = 32
const NOWHERE = -1

/** Some 50,000 words. */
const REMEMBERED_BYTES = 1 << 20
/** Longer pieces rarely occur again. */
const LONGEST_REMEMBERED = 32

export class TokenTable {
  readonly #entries: Uint8Array
  readonly #slots = new Int32Array(LAST_SLOT + 1)
  /** The ranks of two-byte tokens: every merge begins with those. */
  readonly #pairs = new Int32Array(1 << 16).fill(NO_RANK)
  readonly #tokensEnd: number
  #end: number
  readonly #sought: Piece = { start: 0, end: 0, hash: 0 }

  /** Takes the entries of all tokens. */
  constructor(tokens: Uint8Array) {
    this.#tokensEnd = tokens.length
    this.#end = tokens.length
    this.#entries = new Uint8Array(tokens.length + REMEMBERED_BYTES)
    this.#entries.set(tokens)
    let areAllIn = this.#entries.length <= PLACE_BITS
    for (let at = 0; areAllIn && at < tokens.length; at = this.#endOf(at)) areAllIn = this.#addToken(at)
    if (!areAllIn) throw new RangeError('the vocabulary is too large for the table of tokens')
  }

  /** The cost of a piece if it is a token or cached, else 0. */
  costOf(text: Uint8Array, piece: Piece): number {
    const at = this.#find(text, piece)
    if (at >= this.#tokensEnd) return this.#numberOf(at)
    return at === NOWHERE ? 0 : 1
  }

  /** The rank of the token with exactly these bytes, or `NO_RANK`. */
  rankOf(text: Uint8Array, start: number, end: number): number {
    if (end - start === 2) return this.#pairs[pairOf(text, start)] as number
    const sought = this.#sought
    sought.start = start
    sought.end = end
    sought.hash = hashOf(text, start, end)
    const at = this.#find(text, sought)
    return at === NOWHERE || at >= this.#tokensEnd ? NO_RANK : this.#numberOf(at)
  }

  /** Caches the cost of a piece that is not a token, while there is room. */
  remember(text: Uint8Array, piece: Piece, cost: number): void {
    const length = piece.end - piece.start
    if (length > LONGEST_REMEMBERED) return
    if (this.#end + HEAD_BYTES + length > this.#entries.length) this.#forget()
    const at = this.#end
    if (!this.#occupySlot(at, piece.hash)) return
    const entries = this.#entries
    entries[at] = length
    // No piece costs more than its number of bytes. Evicted entries may have left data here.
    entries[at + 1] = 0
    entries[at + 2] = 0
    entries[at + 3] = cost
    for (let i = 0; i < length; i++) entries[at + HEAD_BYTES + i] = text[piece.start + i] as number
    this.#end = this.#endOf(at)
  }

  #find(text: Uint8Array, { start, end, hash }: Piece): number {
    const slots = this.#slots
    for (let step = 0; step < MOST_STEPS; step++) {
      const slot = slots[(hash + step) & LAST_SLOT] as number
      if (slot === 0) return NOWHERE
      const at = (slot & PLACE_BITS) - 1
      const isLikely = ((slot ^ hash) & ~PLACE_BITS) === 0 && this.#entries[at] === end - start
      if (isLikely && this.#isAt(at, text, start)) return at
    }
    return NOWHERE
  }

  /** Whether the text has the bytes of an entry at `start`. */
  #isAt(at: number, text: Uint8Array, start: number): boolean {
    const entries = this.#entries
    const length = entries[at] as number
    for (let i = 0; i < length; i++) {
      if (entries[at + HEAD_BYTES + i] !== text[start + i]) return false
    }
    return true
  }

  #numberOf(at: number): number {
    const entries = this.#entries
    return (
      ((entries[at + 1] as number) << 16) | ((entries[at + 2] as number) << 8) | (entries[at + 3] as number)
    )
  }

  #endOf(at: number): number {
    return at + HEAD_BYTES + (this.#entries[at] as number)
  }

  #addToken(at: number): boolean {
    const start = at + HEAD_BYTES
    const end = this.#endOf(at)
    const rank = this.#numberOf(at)
    if (end - start === 2) this.#pairs[pairOf(this.#entries, start)] = rank
    return rank < MAX_TOKENS && this.#occupySlot(at, hashOf(this.#entries, start, end))
  }

  #occupySlot(at: number, hash: number): boolean {
    const slots = this.#slots
    for (let step = 0; step < MOST_STEPS; step++) {
      const slot = (hash + step) & LAST_SLOT
      if (slots[slot] !== 0) continue
      slots[slot] = (hash & ~PLACE_BITS) | (at + 1)
      return true
    }
    return false
  }

  #forget(): void {
    const slots = this.#slots
    for (let slot = 0; slot <= LAST_SLOT; slot++) {
      if (((slots[slot] as number) & PLACE_BITS) > this.#tokensEnd) slots[slot] = 0
    }
    this.#end = this.#tokensEnd
  }
}

function pairOf(bytes: Uint8Array, start: number): number {
  return ((bytes[start] as number) << 8) | (bytes[start + 1] as number)
}

// Parses a vocabulary file: one line per token, in order of rank, with its bytes in base64, a space, and the
// rank. Parsed byte by byte into the entries of a token table: creating a string per line takes several times
// as long.

const BLANK = 32
const LINE_END = 10
const PADDING = 61

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** By byte: the value of a base64 digit. */
const values = new Uint8Array(256)
for (let i = 0; i < DIGITS.length; i++) values[DIGITS.charCodeAt(i)] = i

/** The entries of all tokens in a file. */
export function parseTokens(file: Uint8Array): Uint8Array {
  // The four bytes of an entry's head are no larger than a rank, a space and a line end, except for the first
  // ten.
  const entries = new Uint8Array(file.length + 10 * HEAD_BYTES)
  const reader = new Base64Reader(file)
  let end = 0
  for (let rank = 0; reader.at < file.length; rank++) {
    const start = end
    end = reader.readInto(entries, start + HEAD_BYTES)
    entries[start] = end - start - HEAD_BYTES
    entries[start + 1] = rank >> 16
    entries[start + 2] = rank >> 8
    entries[start + 3] = rank
    reader.skipLine()
  }
  return entries.subarray(0, end)
}

class Base64Reader {
  at = 0
  readonly #file: Uint8Array

  constructor(file: Uint8Array) {
    this.#file = file
  }

  /** Decodes base64 up to a space, and returns the end of the written bytes. */
  readInto(bytes: Uint8Array, start: number): number {
    const file = this.#file
    let at = this.at
    let end = start
    for (; file[at] !== BLANK; at += 4) {
      const first = values[file[at] as number] as number
      const second = values[file[at + 1] as number] as number
      const third = values[file[at + 2] as number] as number
      const fourth = values[file[at + 3] as number] as number
      bytes[end++] = (first << 2) | (second >> 4)
      if (file[at + 2] !== PADDING) bytes[end++] = (second << 4) | (third >> 2)
      if (file[at + 3] !== PADDING) bytes[end++] = (third << 6) | fourth
    }
    this.at = at
    return end
  }

  skipLine(): void {
    const file = this.#file
    let at = this.at
    while (at < file.length && file[at] !== LINE_END) at += 1
    this.at = at + 1
  }
}

/** A range of a text, with its hash. */
export interface Piece {
  start: number
  end: number
  hash: number
}

/** FNV-1a. Finally mixes the high bits into the low ones, which select the slot in a table. */
export function hashOf(text: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (text[at] as number), 0x01000193)
  return hash ^ (hash >>> 15)
}
