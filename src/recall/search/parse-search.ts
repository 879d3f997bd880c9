import type { SearchTerm } from '../../domain/search.ts'
import { findWords } from '../../domain/words.ts'

/** Longer questions than this are somebody's paste; their first words narrow enough. */
const MOST_TERMS = 32

const PIECE = /"([^"]*)"?|(\S+)/gu

/**
 * What a person types: words that must all be there, "phrases in quotes", and beginnings of words (`lis*`).
 * The last word may be unfinished, as it is while somebody types. Anything else is no word and no error.
 */
export function parseSearch(text: string): readonly SearchTerm[] {
  const terms: SearchTerm[] = []
  for (const [, phrase, bare] of text.matchAll(PIECE)) {
    const words = findWords(phrase ?? bare ?? '').map(({ word }) => word)
    if (words.length > 0) terms.push({ words, isPrefix: bare?.endsWith('*') ?? false })
  }
  const last = terms.at(-1)
  // One letter begins half of all words; in Chinese it is one.
  const isTyping = last !== undefined && /(?:[\p{L}\p{M}\p{N}]{2}|[^ -~])$/u.test(text)
  if (isTyping) terms[terms.length - 1] = { ...last, isPrefix: true }
  return terms.slice(0, MOST_TERMS)
}
