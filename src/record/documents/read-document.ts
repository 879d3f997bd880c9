// File in → text with its headings. One reader for each format; each takes bytes or a text and gives back the text
// that is kept, and where its blocks stand in it. Text, Markdown, CSV, JSON and code are kept as they are; of HTML,
// PDF and DOCX the words, laid out as Markdown. A reader gives all of the text or fails: nothing is left out quietly.

import type { DocumentFormat, DocumentText } from '../../domain/document.ts'
import { decodeText } from './decode-text.ts'
import type { Pace } from './pace.ts'
import { readDocx } from './readers/docx/read-docx.ts'
import { readMarkdown } from './readers/markdown/read-markdown.ts'
import { readPdf } from './readers/pdf/read-pdf.ts'
import { readCode } from './readers/read-code.ts'
import { readCsv } from './readers/read-csv.ts'
import { readHtml } from './readers/read-html.ts'
import { readJson } from './readers/read-json.ts'
import { readPlain } from './readers/read-plain.ts'
import type { BytesSource, Reader, Source, TextSource } from './readers/source.ts'
import { unreadable } from './unreadable.ts'

interface GivenFile {
  readonly name: string
  readonly format: DocumentFormat
  readonly content: string | Uint8Array
  readonly pace: Pace
  readonly mostBytes: number
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

export async function readDocument(file: GivenFile): Promise<DocumentText> {
  const document = await read(file)
  file.pace.check()
  if (document.text.trim() !== '') return document
  throw unreadable(file.name, 'has no text in it')
}

async function read({ content, format, ...source }: GivenFile): Promise<DocumentText> {
  const readBytes = BYTES_READERS[format]
  if (readBytes !== undefined) return readBytes({ ...source, bytes: needBytes(source, content) })
  const readText = TEXT_READERS[format] ?? readPlain
  return readText({ ...source, text: decodeText({ name: source.name, content }) })
}

function needBytes({ name }: Source, content: string | Uint8Array): Uint8Array {
  if (typeof content !== 'string') return content
  throw unreadable(name, 'was given as text, but is a format of bytes', {
    hint: 'give the content as a Uint8Array, as `readFile` does without an encoding',
  })
}
