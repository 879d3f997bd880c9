// Detects the format of a file by its media type, else by its extension, else by its first bytes.

import type { DocumentFormat } from '../../domain/document.ts'

export interface Detected {
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
