// File in → text with its headings. There is one reader per format. It takes bytes or text and returns the text to
// store and the positions of its blocks. Text, Markdown, CSV, JSON and code are stored unchanged; HTML, PDF and DOCX
// are converted to Markdown. A reader returns the whole text or fails; it never drops text silently.

import type { DocumentFormat, DocumentText } from '../../domain/document.ts'
import type { Pace } from './pace.ts'
import { readCsv, readJson } from './readers/read-data.ts'
import { readDocx } from './readers/read-docx.ts'
import { readHtml } from './readers/read-html.ts'
import { readMarkdown } from './readers/read-markdown.ts'
import { readPdf } from './readers/read-pdf.ts'
import { readCode, readPlain } from './readers/read-text.ts'
import { type BytesSource, type Reader, type Source, type TextSource, unreadable } from './readers/reader.ts'

interface InputFile {
  readonly name: string
  readonly format: DocumentFormat
  readonly content: string | Uint8Array
  readonly pace: Pace
  readonly maxBytes: number
}

const TEXT_READERS: Readonly<Partial<Record<DocumentFormat, Reader<TextSource>>>> = {
  text: readPlain,
  markdown: readMarkdown,
  html: readHtml,
  csv: readCsv,
  json: readJson,
  code: readCode,
}

const BYTES_READERS: Readonly<Partial<Record<DocumentFormat, Reader<BytesSource>>>> = {
  pdf: readPdf,
  docx: readDocx,
}

export async function readDocument(file: InputFile): Promise<DocumentText> {
  const document = await read(file)
  file.pace.check()
  if (document.text.trim() !== '') return document
  throw unreadable(file.name, 'contains no text')
}

async function read({ content, format, ...source }: InputFile): Promise<DocumentText> {
  const readBytes = BYTES_READERS[format]
  if (readBytes !== undefined) return readBytes({ ...source, bytes: needBytes(source, content) })
  const readText = TEXT_READERS[format] ?? readPlain
  return readText({ ...source, text: decodeText({ name: source.name, content }) })
}

function needBytes({ name }: Source, content: string | Uint8Array): Uint8Array {
  if (typeof content !== 'string') return content
  throw unreadable(name, 'is a binary format, but its content was passed as a string', {
    hint: 'pass the content as a Uint8Array, for example from `readFile` without an encoding',
  })
}

// Decoding of text files: UTF-8, UTF-16 with a byte order mark, and Windows-1252 for what is not valid UTF-8, as in
// many spreadsheet exports. A file with control characters is refused as binary.

interface TextFile {
  readonly name: string
  readonly content: string | Uint8Array
}

/** Tabs, line ends, form feeds and terminal escapes do occur in text files. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
const BINARY_CHARACTERS = /[\u0000-\u0006\u000e-\u001a\u001c-\u001f]/
const CHARSET = /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i

const FILE_SIGNATURES: readonly (readonly [what: string, begin: readonly number[]])[] = [
  ['a PNG image', [0x89, 0x50, 0x4e, 0x47]],
  ['a JPEG image', [0xff, 0xd8, 0xff]],
  ['a GIF image', [0x47, 0x49, 0x46, 0x38]],
  ['a zip archive', [0x50, 0x4b, 0x03, 0x04]],
  ['a gzip archive', [0x1f, 0x8b]],
  ['a PDF', [0x25, 0x50, 0x44, 0x46]],
  ['an old Office file', [0xd0, 0xcf, 0x11, 0xe0]],
  ['a program', [0x7f, 0x45, 0x4c, 0x46]],
  ['a program', [0x4d, 0x5a]],
  ['an SQLite file', [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65]],
]

export function decodeText({ name, content }: TextFile): string {
  const text = typeof content === 'string' ? content : decode(name, content)
  const plain = text.startsWith('\ufeff') ? text.slice(1) : text
  if (!plain.isWellFormed()) {
    throw unreadable(name, 'contains an unpaired surrogate', {
      hint: 'the text was probably cut inside an emoji; text.toWellFormed() repairs it',
    })
  }
  if (BINARY_CHARACTERS.test(plain)) throw notText(name, content)
  return plain
}

function notText(name: string, content: string | Uint8Array): Error {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content.slice(0, 8)) : content
  const [what] = FILE_SIGNATURES.find(([, begin]) => begin.every((byte, i) => bytes[i] === byte)) ?? []
  return unreadable(name, `is not a text file${what === undefined ? '' : `: it looks like ${what}`}`, {
    code: 'unsupported-format',
    hint: 'supported formats: text, Markdown, HTML, PDF, DOCX, CSV, JSON and source code, detected by file extension',
  })
}

function decode(name: string, bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
  const charset = declaredCharset(bytes)
  const text = charset === undefined ? decodeWindows(bytes) : new TextDecoder(charset).decode(bytes)
  if (BINARY_CHARACTERS.test(text)) throw notText(name, bytes)
  return text
}

/** Windows-1252 for 0x80 to 0x9f, where some versions of Node decode to control characters. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

function decodeWindows(bytes: Uint8Array): string {
  const text = new TextDecoder('windows-1252').decode(bytes)
  return text.replaceAll(/[\u0080-\u009f]/g, (character) =>
    WINDOWS_1252.charAt(character.charCodeAt(0) - 0x80),
  )
}

/** The charset declared in an HTML file. */
function declaredCharset(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 2048))
  const charset = CHARSET.exec(head)?.[1]?.toLowerCase()
  return charset !== undefined && CHARSETS.has(charset) ? charset : undefined
}

const CHARSETS: ReadonlySet<string> = new Set(
  `windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257
  iso-8859-1 iso-8859-2 iso-8859-5 iso-8859-7 iso-8859-9 iso-8859-15 koi8-r koi8-u shift_jis euc-jp euc-kr gbk
  gb2312 gb18030 big5`.split(/\s+/),
)

// Detects the format of a file by its media type, else by its extension, else by its first bytes.

interface Detected {
  readonly format: DocumentFormat
  readonly mediaType: string
}

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

/** The media type stored if none was given. */
const MEDIA_TYPES: Readonly<Record<DocumentFormat, string>> = {
  text: 'text/plain',
  markdown: 'text/markdown',
  html: 'text/html',
  pdf: 'application/pdf',
  docx: DOCX,
  csv: 'text/csv',
  json: 'application/json',
  code: 'text/plain',
}

const BY_MEDIA_TYPE: ReadonlyMap<string, DocumentFormat> = new Map(
  Object.entries<DocumentFormat>({
    'text/markdown': 'markdown',
    'text/x-markdown': 'markdown',
    'text/html': 'html',
    'application/xhtml+xml': 'html',
    'application/pdf': 'pdf',
    'application/x-pdf': 'pdf',
    [DOCX]: 'docx',
    'text/csv': 'csv',
    'application/csv': 'csv',
    'text/tab-separated-values': 'csv',
    'application/json': 'json',
    'application/ld+json': 'json',
    'application/x-ndjson': 'json',
    'application/jsonl': 'json',
    'application/javascript': 'code',
    'text/javascript': 'code',
    'application/typescript': 'code',
    'application/sql': 'code',
    'application/toml': 'code',
    'application/yaml': 'code',
    'application/x-yaml': 'code',
    'application/xml': 'code',
    'application/x-sh': 'code',
    'text/css': 'code',
    'text/xml': 'code',
  }),
)

const ENDINGS: Readonly<Record<DocumentFormat, string>> = {
  text: 'txt text log rst adoc org tex srt vtt eml',
  markdown: 'md markdown mdown mkd mdx',
  html: 'html htm xhtml',
  pdf: 'pdf',
  docx: 'docx',
  csv: 'csv tsv',
  json: 'json jsonl ndjson geojson ipynb',
  code: `astro awk bash bat c cc clj cljs cmake conf cpp cr cs css cts cxx d dart diff ex exs elm erl fish fs fsx go
    gradle graphql groovy h hh hpp hs html.erb ini java jl js jsx kt kts less lisp lua m mjs ml mm mts nim nix patch
    php pl pm prisma properties proto ps1 py r rb rs sass scala scss sh sol sql svelte swift tcl tf toml ts tsx v vb
    vue xml xsl yaml yml zig zsh`,
}

const BY_ENDING: ReadonlyMap<string, DocumentFormat> = new Map(
  Object.entries(ENDINGS).flatMap(([format, endings]) =>
    endings.split(/\s+/).map((ending) => [ending, format as DocumentFormat] as const),
  ),
)

const BY_NAME: ReadonlyMap<string, DocumentFormat> = new Map(
  ['dockerfile', 'makefile', 'gemfile', 'rakefile', 'jenkinsfile', '.gitignore', '.env', '.editorconfig'].map(
    (name) => [name, 'code' as const],
  ),
)

interface File {
  readonly name: string
  readonly content: string | Uint8Array
  readonly mediaType?: string | undefined
}

export function detectFormat({ name, content, mediaType }: File): Detected {
  const known = mediaType === undefined ? undefined : byMediaType(mediaType)
  if (known !== undefined && mediaType !== undefined)
    return { format: known, mediaType: plainType(mediaType) }
  const format = byName(name) ?? byContent(content)
  return { format, mediaType: MEDIA_TYPES[format] }
}

const plainType = (mediaType: string): string => mediaType.replace(/;.*$/s, '').trim().toLowerCase()

/** Servers send `application/octet-stream` for unknown files and `text/plain` for many others. */
function byMediaType(mediaType: string): DocumentFormat | undefined {
  const type = plainType(mediaType)
  const known = BY_MEDIA_TYPE.get(type)
  if (known !== undefined) return known
  if (type === 'text/plain') return 'text'
  if (/^text\/x-/.test(type)) return 'code'
  return /^text\//.test(type) ? 'text' : undefined
}

function byName(name: string): DocumentFormat | undefined {
  const file = name.toLowerCase().replace(/^.*[/\\]/s, '')
  return BY_NAME.get(file) ?? BY_ENDING.get(/\.([a-z0-9]+)$/.exec(file)?.[1] ?? '')
}

/** Enough to recognize a format. */
const HEAD_CHARACTERS = 4096

function byContent(content: string | Uint8Array): DocumentFormat {
  const head =
    typeof content === 'string'
      ? content.slice(0, HEAD_CHARACTERS)
      : new TextDecoder('latin1').decode(content.subarray(0, HEAD_CHARACTERS))
  if (typeof content !== 'string') {
    if (head.includes('%PDF-')) return 'pdf'
    if (head.startsWith('PK\u0003\u0004')) return 'docx'
  }
  const begin = head.replace(/^(?:\ufeff|ï»¿)?\s+/, '')
  if (/^<(?:!doctype html|html|head|body)\b/i.test(begin)) return 'html'
  if (/^[{[]/.test(begin) && isJson(content)) return 'json'
  if (/^#!/.test(begin)) return 'code'
  return /^#{1,6} \S|\n#{1,6} \S|\n```/.test(head) ? 'markdown' : 'text'
}

function isJson(content: string | Uint8Array): boolean {
  try {
    JSON.parse(typeof content === 'string' ? content : new TextDecoder().decode(content))
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
