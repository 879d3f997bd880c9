// Plain text: blank lines separate paragraphs; a line of === or --- underlines a heading.

import type { Block, DocumentText } from '../../../domain/document.ts'
import type { TextSource } from './reader.ts'

const UNDERLINE = /^\s*(={3,}|-{3,})\s*$/
/** A longer line is a sentence above a horizontal rule. */
const MAX_HEADING_CHARACTERS = 120

export function readPlain({ text }: Pick<TextSource, 'text'>): DocumentText {
  const lines = new Lines(text)
  const blocks: Block[] = []
  for (let line = 0; line < lines.count; ) {
    if (lines.isBlank(line)) {
      line += 1
      continue
    }
    const level = levelOf(lines, line)
    const start = lines.startOf(line)
    if (level !== undefined) {
      blocks.push({
        kind: 'heading',
        start,
        end: lines.endOf(line + 1),
        level,
        title: lines.at(line).trim(),
      })
      line += 2
      continue
    }
    do line += 1
    while (line < lines.count && !lines.isBlank(line))
    blocks.push({ kind: 'paragraph', start, end: lines.endOf(line - 1) })
  }
  return { text, blocks }
}

function levelOf(lines: Lines, line: number): number | undefined {
  const title = lines.at(line).trim()
  const [, mark] = UNDERLINE.exec(lines.at(line + 1)) ?? []
  if (mark === undefined || title.length > MAX_HEADING_CHARACTERS || UNDERLINE.test(title)) return undefined
  return mark.startsWith('=') ? 1 : 2
}

/** The lines of a text by number, with their positions. */
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

  /** Without its line end. Empty if there is no such line. */
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

// Source code in any language, line by line. A declaration with the comment above it starts a section, and blank lines
// separate blocks. Declarations are recognized by keywords and indentation. No language is parsed; this is accurate
// enough to choose split positions and to label chunks.

const MODIFIERS =
  '(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|override|unsafe|extern|inline|virtual|sealed|partial|declare|open|data|suspend|local|pub(?:\\([^)]*\\))?)\\s+)*'
/** Keywords that start a declaration at any indentation. */
const DECLARING = new RegExp(
  `^\\s*${MODIFIERS}(?:class|interface|enum|struct|trait|impl|module|namespace|function|def|defp|defmodule|fn|func|fun|sub|procedure|protocol|extension|record|object|type|union)\\b[\\s*<]*[\\w$"'(<~]`,
)
/** Declarations without indentation. */
const AT_MARGIN: readonly RegExp[] = [
  /^(?:export\s+)?(?:const|let|var|val)\s+[\w$]+/,
  /^(?:create|alter|insert|select|with|update|delete|drop)\s+\S/i,
  // Functions in C-like languages, shell and R; CSS rules.
  /^[A-Za-z_][\w:<>,~*&\s[\]]*[\s*&]+[\w:~]+\s*\([^;=]*\)?\s*\{?\s*$/,
  /^[\w-]+\s*\(\)\s*\{?\s*$/,
  /^[\w.]+\s*(?:<-|=)\s*function\b/,
  /^[.#@&*a-z][^;{}()]*\{\s*$/i,
  // Sections and keys in configuration files, makefile targets.
  /^\[[^\]]+\]\s*$/,
  /^[\w.\-/"']+:(?:\s|$)/,
]
const STATEMENT =
  /^(?:if|elif|else|for|foreach|while|until|do|switch|case|default|try|catch|except|finally|return|await|yield|throw|raise|with\s+\w+\(|using|import|from|include|require|echo|print|end)\b/
/** A method: a name, parameters, an opening brace. */
const METHOD = new RegExp(
  `^\\s+(?=\\S)${MODIFIERS}(?:get\\s+|set\\s+|\\*\\s*)?(?!(?:if|for|while|switch|catch|return|else|do|try|with|await|match)\\b)[\\w$<>[\\]&*#:~ ]*[\\w$]\\s*\\([^;]*\\)[^;=()]*\\{\\s*$`,
)
const COMMENT = /^\s*(?:\/\/|\/\*|\*|#|--|;|%|@|"""|''')/
/** Longer lines are treated as data. */
const MAX_LINE_CHARACTERS = 300
const TITLE_CHARACTERS = 100

interface Declaration {
  /** With the comment above it. */
  readonly line: number
  readonly level: number
  readonly title: string
}

export function readCode({ text }: Pick<TextSource, 'text'>): DocumentText {
  const lines = new Lines(text)
  const declarations = new Map(findDeclarations(lines).map((declaration) => [declaration.line, declaration]))
  const blocks: Block[] = []
  for (let line = 0; line < lines.count; ) {
    const start = lines.startOf(line)
    const declaration = declarations.get(line)
    if (declaration !== undefined) {
      const { level, title } = declaration
      blocks.push({ kind: 'heading', start, end: start, level, title })
    } else if (lines.isBlank(line)) {
      line += 1
      continue
    }
    do line += 1
    while (line < lines.count && !lines.isBlank(line) && !declarations.has(line))
    blocks.push({ kind: 'code', start, end: lines.endOf(line - 1) })
  }
  return { text, blocks }
}

function findDeclarations(lines: Lines): readonly Declaration[] {
  const declarations: Declaration[] = []
  /** Indentations of the enclosing declarations. */
  const around: number[] = []
  let free = 0
  for (let line = 0; line < lines.count; line++) {
    const code = lines.at(line)
    if (code.length > MAX_LINE_CHARACTERS || !isDeclaration(code)) continue
    const indent = indentOf(code)
    while ((around.at(-1) ?? -1) >= indent) around.pop()
    around.push(indent)
    const first = firstOfComment(lines, line, free)
    declarations.push({ line: first, level: around.length, title: toTitle(code) })
    free = line + 1
  }
  return declarations
}

function isDeclaration(code: string): boolean {
  if (COMMENT.test(code) || code.trim() === '') return false
  if (DECLARING.test(code) || METHOD.test(code)) return true
  return !STATEMENT.test(code) && AT_MARGIN.some((start) => start.test(code))
}

const indentOf = (code: string): number => code.length - code.trimStart().length

/** A comment directly above a declaration belongs to it. */
function firstOfComment(lines: Lines, line: number, free: number): number {
  let first = line
  while (first > free && COMMENT.test(lines.at(first - 1))) first -= 1
  return first
}

function toTitle(code: string): string {
  const signature = code.trim().replace(/(?:\s*(?:\{|=>|=|:|\())+\s*$/, '')
  return signature.slice(0, TITLE_CHARACTERS).toWellFormed()
}
