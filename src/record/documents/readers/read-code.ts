// Code of any language, by its lines: what is declared begins a part, with the comment above it, and blank lines
// separate what is in it. Declarations are told by their words and how far they are indented, which is good enough
// to cut at and to say where a piece is from; no language is parsed.

import type { Block, DocumentText } from '../../../domain/document.ts'
import { Lines } from './lines.ts'
import type { TextSource } from './source.ts'

const MODIFIERS =
  '(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|override|unsafe|extern|inline|virtual|sealed|partial|declare|open|data|suspend|local|pub(?:\\([^)]*\\))?)\\s+)*'
/** Words that declare something wherever they stand first. */
const DECLARING = new RegExp(
  `^\\s*${MODIFIERS}(?:class|interface|enum|struct|trait|impl|module|namespace|function|def|defp|defmodule|fn|func|fun|sub|procedure|protocol|extension|record|object|type|union)\\b[\\s*<]*[\\w$"'(<~]`,
)
/** What stands at the margin and gives a name to what follows. */
const AT_MARGIN: readonly RegExp[] = [
  /^(?:export\s+)?(?:const|let|var|val)\s+[\w$]+/,
  /^(?:create|alter|insert|select|with|update|delete|drop)\s+\S/i,
  // A function of C and its kin, of a shell, of R; a rule of CSS.
  /^[A-Za-z_][\w:<>,~*&\s[\]]*[\s*&]+[\w:~]+\s*\([^;=]*\)?\s*\{?\s*$/,
  /^[\w-]+\s*\(\)\s*\{?\s*$/,
  /^[\w.]+\s*(?:<-|=)\s*function\b/,
  /^[.#@&*a-z][^;{}()]*\{\s*$/i,
  // A section or key of a configuration, a target of a makefile.
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
/** Longer lines are data. */
const LONGEST_LINE = 300
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
  /** How far those are indented that the line at hand may lie in. */
  const around: number[] = []
  let free = 0
  for (let line = 0; line < lines.count; line++) {
    const code = lines.at(line)
    if (code.length > LONGEST_LINE || !isDeclaration(code)) continue
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

/** A comment without a blank line in between belongs to what it stands above. */
function firstOfComment(lines: Lines, line: number, free: number): number {
  let first = line
  while (first > free && COMMENT.test(lines.at(first - 1))) first -= 1
  return first
}

function toTitle(code: string): string {
  const signature = code.trim().replace(/(?:\s*(?:\{|=>|=|:|\())+\s*$/, '')
  return signature.slice(0, TITLE_CHARACTERS).toWellFormed()
}
