// A streaming JSON parser that splits a document of any size into values. The caller chooses which lists and objects to
// descend into; every other value is passed to JSON.parse as a whole. Only the current value is in memory.
//
// A document may be damaged: a bracket or quote is missing, the file is truncated, a value exceeds the limit. The value
// with the error is reported with its path. After that, brackets cannot be trusted. The scanner tries every object in
// a list that follows, and resumes with the first that the caller recognizes. A damaged conversation does not affect
// the others.
//
// Commas and colons are skipped like spaces, so a missing or doubled one does no harm.

import {
  ByteBuffer,
  CLOSE_LIST,
  CLOSE_OBJECT,
  isSpace,
  OPEN_LIST,
  OPEN_OBJECT,
  ValueCapture,
} from './value-capture.ts'

/** Object keys and list indexes; the first element is the index of the document in the stream. */
export type Path = readonly (string | number)[]

export type Scanned =
  | ScannedValue
  /** An opened list or object is complete. */
  | { readonly kind: 'end'; readonly path: Path }
  | { readonly kind: 'broken'; readonly path: Path; readonly offset: number; readonly reason: string }

export interface ScannedValue {
  readonly kind: 'value'
  readonly path: Path
  readonly offset: number
  readonly value: unknown
  /** The JSON text. */
  readonly text: string
}

interface ScannerOptions {
  readonly isOpened: (path: Path, isList: boolean) => boolean
  /**
   * Whether this is an expected value at that path. Called only after an error, then also for values that would
   * otherwise be opened.
   */
  readonly isSound: (value: unknown, path: Path) => boolean
  /** Larger values are reported and skipped. */
  readonly maxBytes: number
}

interface Frame {
  readonly isList: boolean
  index: number
  key: string | undefined
}

const QUOTE = 0x22
/** Damaged values are scanned again from near their start, up to this many bytes or times the document. */
const MIN_REREAD_BYTES = 1 << 26
const MAX_READS = 4

export class JsonScanner {
  readonly #options: ScannerOptions
  readonly #buffer = new ByteBuffer()
  readonly #decoder = new TextDecoder()
  readonly #frames: [Frame, ...Frame[]] = [newFrame(true)]
  #out: Scanned[] = []
  #at = 0
  #start = 0
  #capture: ValueCapture | undefined
  #isKey = false
  /** Between a damaged value and the next valid one. */
  #isRecovering = false
  #isSeeking = false
  #isLost = false
  #rereadBytes = 0

  constructor(options: ScannerOptions) {
    this.#options = options
  }

  write(piece: Uint8Array): readonly Scanned[] {
    this.#buffer.append(piece)
    this.#run()
    const done = this.#capture === undefined ? this.#at : this.#start
    this.#buffer.drop(done)
    this.#at -= done
    this.#start -= done
    if (this.#capture !== undefined) this.#capture.shift(done)
    return this.#take()
  }

  /** No more bytes will come. */
  end(): readonly Scanned[] {
    let isTorn = this.#isRecovering || this.#isLost
    while (this.#capture !== undefined) {
      if (this.#capture.canEndHere) {
        this.#at = this.#buffer.length
        this.#complete()
      } else {
        isTorn = true
        this.#tear('the file ends inside it')
      }
      this.#run()
    }
    if (this.#frames.length > 1 && !isTorn) this.#report(this.#at, 'the file ends too early')
    return this.#take()
  }

  #take(): readonly Scanned[] {
    const out = this.#out
    this.#out = []
    return out
  }

  #run(): void {
    let canGoOn = true
    while (canGoOn) canGoOn = this.#step()
  }

  /** False when more bytes are needed. */
  #step(): boolean {
    if (this.#isLost) {
      this.#at = this.#buffer.length
      return false
    }
    if (this.#isSeeking) return this.#seek()
    return this.#capture === undefined ? this.#begin() : this.#goOn(this.#capture)
  }

  #begin(): boolean {
    const { view } = this.#buffer
    while (this.#at < view.length && isPassedOver(view[this.#at] as number)) this.#at += 1
    const byte = view[this.#at]
    if (byte === undefined) return false
    this.#start = this.#at
    if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) return this.#close(byte)
    this.#isKey = !this.#top.isList && this.#top.key === undefined
    if (this.#isKey && byte !== QUOTE) return this.#tear('expected a key')
    if (this.#mayOpen(byte)) {
      this.#frames.push(newFrame(byte === OPEN_LIST))
      this.#at += 1
    } else this.#capture = new ValueCapture(this.#at, byte)
    return true
  }

  #mayOpen(byte: number): boolean {
    if (this.#isKey || this.#isRecovering || (byte !== OPEN_LIST && byte !== OPEN_OBJECT)) return false
    return this.#options.isOpened(this.#path(), byte === OPEN_LIST)
  }

  #close(byte: number): boolean {
    const isMatch = byte === (this.#top.isList ? CLOSE_LIST : CLOSE_OBJECT)
    if (this.#frames.length === 1 || !isMatch) return this.#tear('unexpected closing bracket')
    this.#frames.pop()
    this.#out.push({ kind: 'end', path: this.#path() })
    this.#advance()
    this.#at += 1
    return true
  }

  #goOn(capture: ValueCapture): boolean {
    const { view } = this.#buffer
    const outcome = capture.read(view)
    this.#at = capture.at
    if (outcome === 'done') this.#complete()
    else if (outcome === 'torn') this.#tear('mismatched brackets')
    else if (view.length - this.#start > this.#options.maxBytes)
      this.#tear(`larger than ${this.#options.maxBytes} bytes`)
    return outcome !== 'open' || this.#capture === undefined
  }

  #complete(): void {
    const text = this.#decoder.decode(this.#buffer.view.subarray(this.#start, this.#at))
    const read = readJson(text)
    this.#capture = undefined
    if ('problem' in read) this.#tear(read.problem)
    else if (this.#isKey) this.#top.key = String(read.value)
    else if (this.#isRecovering && !this.#settle(read.value)) this.#isSeeking = true
    else this.#emit(read.value, text)
  }

  #emit(value: unknown, text: string): void {
    const offset = this.#buffer.offset + this.#start
    this.#out.push({ kind: 'value', path: this.#path(), offset, value, text })
    this.#advance()
  }

  /** Resumes if this is an expected value, in this list or an enclosing one. */
  #settle(value: unknown): boolean {
    const paths = this.#frames.map((_, depth) => this.#path(depth + 1))
    const depth = this.#frames.findLastIndex(
      ({ isList }, i) => isList && this.#options.isSound(value, paths[i] as Path),
    )
    if (depth < 0) return false
    if (this.#frames.splice(depth + 1).length > 0) this.#advance()
    this.#isRecovering = false
    return true
  }

  /** Reports the current value, and starts to search for the next complete one. */
  #tear(reason: string): true {
    if (!this.#isRecovering) this.#report(this.#start, reason)
    while (!this.#top.isList) this.#frames.pop()
    if (!this.#isRecovering) this.#advance()
    this.#isRecovering = true
    this.#capture = undefined
    this.#rereadBytes += this.#at - this.#start
    const seen = this.#buffer.offset + this.#buffer.length
    this.#isLost = this.#rereadBytes > Math.max(MIN_REREAD_BYTES, seen * MAX_READS)
    this.#isSeeking = !this.#isLost
    this.#at = this.#start + 1
    return true
  }

  #report(at: number, reason: string): void {
    this.#out.push({ kind: 'broken', path: this.#path(), offset: this.#buffer.offset + at, reason })
  }

  #seek(): boolean {
    const { view } = this.#buffer
    const found = findNextStart(view, this.#at)
    this.#at = found ?? Math.max(this.#at, view.length - OVERLAP_BYTES)
    this.#isSeeking = found === undefined
    return found !== undefined
  }

  get #top(): Frame {
    return this.#frames.at(-1) as Frame
  }

  #advance(): void {
    if (this.#top.isList) this.#top.index += 1
    else this.#top.key = undefined
  }

  #path(depth = this.#frames.length): Path {
    return this.#frames.slice(0, depth).map(({ isList, index, key }) => (isList ? index : (key ?? '')))
  }
}

function newFrame(isList: boolean): Frame {
  return { isList, index: 0, key: undefined }
}

const COMMA = 0x2c
const COLON = 0x3a

/** The mark that some programs put before UTF-8. */
const BYTE_ORDER_MARK = new Set([0xef, 0xbb, 0xbf])

function isPassedOver(byte: number): boolean {
  return isSpace(byte) || byte === COMMA || byte === COLON || BYTE_ORDER_MARK.has(byte)
}

function readJson(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    return { problem: `invalid JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
}

// Latin-1 maps each byte to one character, so string positions are byte positions.
const latin1 = new TextDecoder('latin1')

/** No start of an object is longer. */
const OVERLAP_BYTES = 1024
const MIN_WINDOW_BYTES = 1 << 12
const MAX_WINDOW_BYTES = 1 << 20

/** Where the next object in a list starts. Quotes in strings are escaped, so they are not mistaken for one. */
function findNextStart(view: Uint8Array, from: number): number | undefined {
  let window = MIN_WINDOW_BYTES
  for (let at = from; at < view.length; at += window, window = Math.min(window * 4, MAX_WINDOW_BYTES)) {
    const match = /,\s*\{\s*"/.exec(latin1.decode(view.subarray(at, at + window + OVERLAP_BYTES)))
    if (match !== null) return at + match.index + match[0].indexOf('{')
  }
  return undefined
}
