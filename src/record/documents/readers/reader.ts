import type { Block, BlockKind, DocumentText } from '../../../domain/document.ts'
import { MemoryError, type MemoryErrorCode } from '../../../domain/errors.ts'
import type { Pace } from '../pace.ts'

/** The input of a reader: a file whose format is known. */
export interface Source {
  /** For errors. */
  readonly name: string
  readonly pace: Pace
  /** Upper limit for decompressed content. */
  readonly maxBytes: number
}

export interface TextSource extends Source {
  readonly text: string
}

export interface BytesSource extends Source {
  readonly bytes: Uint8Array
}

export type Reader<Input extends Source> = (source: Input) => DocumentText | Promise<DocumentText>

interface UnreadableDetails {
  readonly hint?: string
  readonly cause?: unknown
  /** `unsupported-format` if there is no reader for it. @default "invalid-input" */
  readonly code?: MemoryErrorCode
}

/** The error for a file that cannot be read. */
export function unreadable(
  name: string,
  reason: string,
  { code, ...details }: UnreadableDetails = {},
): MemoryError {
  return new MemoryError(code ?? 'invalid-input', `"${name}" ${reason}`, details)
}

/** Loads the package of a reader with the first file that needs it. */
export async function loadPackage<Module>(load: () => Promise<Module>, name: string): Promise<Module> {
  try {
    return await load()
  } catch (cause) {
    throw new MemoryError('missing-dependency', `reading this format requires the package "${name}"`, {
      hint: `npm install ${name}; if you use a bundler, mark the package as external`,
      cause,
    })
  }
}

/** Control characters except tabs and line ends. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

/** Builds the text of a binary or HTML file as Markdown, which people and models can read, with block positions. */
export class TextWriter {
  readonly #parts: string[] = []
  readonly #blocks: Block[] = []
  #length = 0
  #last: BlockKind | undefined

  get hasHeadings(): boolean {
    return this.#blocks.some(({ kind }) => kind === 'heading')
  }

  heading(level: number, words: string): void {
    const title = clean(words).replaceAll(/\s+/g, ' ').trim()
    if (title !== '') this.#add('heading', `${'#'.repeat(Math.min(level, 6))} ${title}`, { level, title })
  }

  paragraph(words: string): void {
    this.#add('paragraph', clean(words).trim())
  }

  item(words: string, depth: number): void {
    const text = clean(words).trim()
    if (text !== '') this.#add('item', `${'  '.repeat(Math.min(depth, 8))}- ${text}`)
  }

  code(words: string): void {
    const text = clean(words)
      .replace(/^(?:[ \t]*\n)+/, '')
      .trimEnd()
    if (text !== '') this.#add('code', `\`\`\`\n${text}\n\`\`\``)
  }

  /** The first row may be the head. */
  table(rows: readonly (readonly string[])[], hasHead: boolean): void {
    const filled = rows.filter((cells) => cells.some((cell) => cell.trim() !== ''))
    const width = filled.reduce((most, cells) => Math.max(most, cells.length), 0)
    if (width < 2) {
      for (const [cell = ''] of filled) this.paragraph(cell)
      return
    }
    // Adjacent tables stay separate.
    this.#last = undefined
    for (const [i, cells] of filled.entries()) {
      const line = toLine(Array.from({ length: width }, (_, column) => cells[column] ?? ''))
      if (i > 0 || !hasHead) this.#add('row', line)
      else this.#add('header', `${line}\n${toLine(Array.from({ length: width }, () => '---'))}`)
    }
  }

  finish(): DocumentText {
    return { text: this.#parts.join(''), blocks: this.#blocks }
  }

  #add(kind: BlockKind, text: string, heading: Pick<Block, 'level' | 'title'> = {}): void {
    if (text === '') return
    const isClose = (kind === 'item' || kind === 'row') && (this.#last === kind || this.#last === 'header')
    const gap = isClose ? '\n' : '\n\n'
    if (this.#length > 0) this.#append(gap)
    const start = this.#length
    this.#append(text)
    this.#blocks.push({ kind, start, end: this.#length, ...heading })
    this.#last = kind
  }

  #append(text: string): void {
    this.#parts.push(text)
    this.#length += text.length
  }
}

const clean = (text: string): string => text.replaceAll(CONTROL, '').toWellFormed()

const toLine = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => clean(cell).replaceAll(/\s+/g, ' ').trim().replaceAll('|', '\\|')).join(' | ')} |`

/** Callbacks for the elements of an XML file, in document order. */
interface XmlVisitor {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  text?(words: string): void
  close(name: string): void
}

/** Parses a file in steps and yields the number of characters processed after each. */
export type XmlWalk = (xml: string, visitor: XmlVisitor) => Generator<number>

const CHUNK_CHARACTERS = 64 * 1024

/** Deeper files are damaged or an attack: parsing takes time quadratic in the depth. */
export const MAX_DEPTH = 10_000

export async function createXmlWalk(name: string): Promise<XmlWalk> {
  const { Parser } = await loadPackage(() => import('htmlparser2'), 'htmlparser2')
  return function* walk(xml, visitor) {
    let depth = 0
    const parser = new Parser(
      {
        onopentag: (element, attributes) => {
          depth += 1
          if (depth > MAX_DEPTH) throw tooDeep(name)
          visitor.open(element, attributes)
        },
        ontext: (words) => visitor.text?.(words),
        onclosetag: (element) => {
          depth -= 1
          visitor.close(element)
        },
      },
      { xmlMode: true, decodeEntities: true },
    )
    for (let start = 0; start < xml.length; start += CHUNK_CHARACTERS) {
      parser.write(xml.slice(start, start + CHUNK_CHARACTERS))
      yield Math.min(start + CHUNK_CHARACTERS, xml.length)
    }
    parser.end()
  }
}

export const tooDeep = (name: string): Error =>
  unreadable(name, `is nested more than ${MAX_DEPTH} levels deep`, {
    hint: 'check that this is the right file',
  })
