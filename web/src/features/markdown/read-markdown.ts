// Parses Markdown into tokens. They are rendered as React elements, never as HTML, so HTML in a text is shown as text.

import { Marked, type Token, type TokenizerExtension, type Tokens } from 'marked'

export interface MathToken extends Tokens.Generic {
  readonly type: 'math'
  readonly text: string
  readonly isBlock: boolean
}

/** A dollar sign followed by a space, or a closing one followed by a digit, is money. */
const INLINE = /^(?:\$\$([^$\n]+?)\$\$|\$(?![\s$])((?:\\.|[^$\\\n])+?)(?<!\s)\$(?!\d)|\\\((.+?)\\\))/
const BLOCK = /^ {0,3}(?:\$\$([\s\S]+?)\$\$|\\\[([\s\S]+?)\\\]) *(?:\n|$)/

const toToken = (match: RegExpExecArray | null, isBlock: boolean): MathToken | undefined => {
  const text = match?.slice(1).find((part) => part !== undefined)
  return match === null || text === undefined
    ? undefined
    : { type: 'math', raw: match[0], text: text.trim(), isBlock }
}

const inlineMath: TokenizerExtension = {
  name: 'math',
  level: 'inline',
  start: (text) => firstOf(text.indexOf('$'), text.indexOf('\\(')),
  tokenizer: (text) => toToken(INLINE.exec(text), false),
}

const blockMath: TokenizerExtension = {
  name: 'block-math',
  level: 'block',
  start: (text) => firstOf(text.indexOf('\n$$'), text.indexOf('\n\\[')),
  tokenizer: (text) => toToken(BLOCK.exec(text), true),
}

const firstOf = (...places: readonly number[]): number | undefined => {
  const found = places.filter((place) => place >= 0)
  return found.length === 0 ? undefined : Math.min(...found)
}

const markdown = new Marked({ gfm: true, breaks: true, extensions: [blockMath, inlineMath] })

export const readMarkdown = (text: string): readonly Token[] =>
  markdown.lexer(text).filter(({ type }) => type !== 'space' && type !== 'def')

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  copy: '©',
  times: '×',
  rarr: '→',
  larr: '←',
}

/** Decodes HTML entities such as `&amp;`. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8}));/gi, (whole, ...groups) => {
    const [decimal, hex, name] = groups as (string | undefined)[]
    if (name !== undefined) return ENTITIES[name] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole
  })
}

/** Links may be http, https or mailto; anything else stays text. */
export function safeAddress(href: string): string | undefined {
  const decoded = decodeEntities(href).trim()
  if (!/^(?:https?:\/\/|mailto:)/i.test(decoded) || !URL.canParse(decoded)) return undefined
  return decoded
}
