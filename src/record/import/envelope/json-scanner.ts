// Cuts a JSON document of any size into values, as its bytes come in. The caller says which lists and objects
// are opened; everything in them that is not opened is handed over whole, read by JSON.parse. What is held is the
// value at hand and nothing else.
//
// A document may be broken: a bracket is missing, a quote was lost, the file was cut off, a value is larger
// than all bounds. The value in which that shows is reported with its place. From then on brackets cannot be
// trusted: every object of a list that can be read from there on is shown to the caller, and with the first that
// is one of those that are looked for, the document is trusted again. So a broken conversation costs itself and
// no other.
//
// Commas and colons are passed over like spaces: where one is missing or doubled, the values are still there.

import { ByteBuffer } from './byte-buffer.ts'
import { findNextStart, OVERLAP_BYTES } from './find-next-start.ts'
import { CLOSE_LIST, CLOSE_OBJECT, isSpace, OPEN_LIST, OPEN_OBJECT, ValueCapture } from './value-capture.ts'

/** Keys of objects and places in lists; the first tells which of several documents in a row. */
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
  /** As it is written. */
  readonly text: string
}

export interface ScannerOptions {
  readonly isOpened: (path: Path, isList: boolean) => boolean
  /**
   * Whether this is one of the values that are looked for at that place. Asked only after something was broken,
   * and then for values as well that are opened otherwise.
   */
  readonly isSound: (value: unknown, path: Path) => boolean
  /** Larger values are reported and passed over. */
  readonly mostBytes: number
}

interface Frame {
  readonly isList: boolean
  index: number
  key: string | undefined
}

const QUOTE = 0x22
/** What is torn is read again from near its beginning: so many bytes at least, or as often as the whole document. */
const LEAST_READ_AGAIN = 1 << 26
const MOST_TIMES_READ = 4

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
  /** Between a broken value and the next sound one. */
  #isRecovering = false
  #isSeeking = false
  #isLost = false
  #readAgain = 0

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
        this.#tear('the file ends in the middle of it')
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
    if (this.#isKey && byte !== QUOTE) return this.#tear('a key must stand here')
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
    if (this.#frames.length === 1 || !isMatch) return this.#tear('a bracket closes what was not opened')
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
    else if (outcome === 'torn') this.#tear('its brackets do not match')
    else if (view.length - this.#start > this.#options.mostBytes)
      this.#tear(`it is larger than ${this.#options.mostBytes} bytes`)
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

  /** Trusts the document again if this is a value that is looked for, in this list or one around it. */
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

  /** Reports the value at hand, and begins to look for the next one that is whole. */
  #tear(reason: string): true {
    if (!this.#isRecovering) this.#report(this.#start, reason)
    while (!this.#top.isList) this.#frames.pop()
    if (!this.#isRecovering) this.#advance()
    this.#isRecovering = true
    this.#capture = undefined
    this.#readAgain += this.#at - this.#start
    const seen = this.#buffer.offset + this.#buffer.length
    this.#isLost = this.#readAgain > Math.max(LEAST_READ_AGAIN, seen * MOST_TIMES_READ)
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
    return { problem: `it is not valid JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
}
