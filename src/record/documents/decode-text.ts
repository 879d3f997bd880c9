// Bytes of a text file as text: UTF-8, UTF-16 where the file says so, and the Latin alphabet of Windows where
// it cannot be UTF-8, as in many exports of spreadsheets. What has characters that no text has is not taken.

import { unreadable } from './unreadable.ts'

interface TextFile {
  readonly name: string
  readonly content: string | Uint8Array
}

/** NUL and its like; tabs, line ends, form feeds and the escape of terminals are found in texts. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is meant
const NO_TEXT = /[\u0000-\u0006\u000e-\u001a\u001c-\u001f]/
const CHARSET = /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i

const KNOWN: readonly (readonly [what: string, begin: readonly number[]])[] = [
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
    throw unreadable(name, 'has half of a character in it (a lone surrogate)', {
      hint: 'the text was cut inside an emoji or the like; text.toWellFormed() mends it',
    })
  }
  if (NO_TEXT.test(plain)) throw notText(name, content)
  return plain
}

function notText(name: string, content: string | Uint8Array): Error {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content.slice(0, 8)) : content
  const [what] = KNOWN.find(([, begin]) => begin.every((byte, i) => bytes[i] === byte)) ?? []
  return unreadable(name, `is not text${what === undefined ? '' : `: it seems to be ${what}`}`, {
    code: 'unsupported-format',
    hint: 'documents are text, Markdown, HTML, PDF, DOCX, CSV, JSON and code; the ending of the name tells which',
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
  if (NO_TEXT.test(text)) throw notText(name, bytes)
  return text
}

/** Where the alphabet of Windows has letters and marks, some versions of Node have the control characters of ISO 8859. */
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

function decodeWindows(bytes: Uint8Array): string {
  const text = new TextDecoder('windows-1252').decode(bytes)
  return text.replaceAll(/[\u0080-\u009f]/g, (character) => WINDOWS.charAt(character.charCodeAt(0) - 0x80))
}

/** What an HTML file says of itself. */
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
