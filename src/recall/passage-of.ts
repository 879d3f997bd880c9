// The relevant passage of a long text: consecutive sentences or lines, about 80 words, with most of the question's words.
// Short texts are returned whole.

import { findWords, listWords, type Word } from '../domain/words.ts'
import type { TermLookup } from './rank/own-words.ts'

export interface Passage {
  readonly start: number
  readonly end: number
}

/** Texts up to this length are returned whole. */
const WHOLE_WORDS = 120
const PASSAGE_WORDS = 80
/** After a line or a sentence; some scripts write no space between sentences. */
const BREAK = /(?<=[.!?…]["'”’)]*)\s+|(?<=[。！？])|\n+/gu

/** Lazy, memoized passageOf. */
export function passageFinder(...asked: Parameters<typeof passageOf>): () => Passage | undefined {
  let found: { readonly passage: Passage | undefined } | undefined
  return () => {
    found ??= { passage: passageOf(...asked) }
    return found.passage
  }
}

/** Undefined if the text is short enough to show whole. */
export function passageOf(
  text: string,
  lookup: TermLookup,
  weightOf: (term: number) => number,
): Passage | undefined {
  // A word takes at least two characters, including the separator.
  if (text.length < 2 * WHOLE_WORDS || listWords(text).length <= WHOLE_WORDS) return undefined
  const words = findWords(text)
  const pieces = toPieces(text, words)
  const best = bestWindow(pieces, (piece) => termsOf(piece, lookup), weightOf)
  const [first, last] = [pieces[best.from] as Piece, pieces[best.to] as Piece]
  return { start: first.start, end: last.end }
}

interface Piece extends Passage {
  readonly words: readonly string[]
}

/** Sentences and lines; those longer than a passage are cut. */
function toPieces(text: string, words: readonly Word[]): readonly Piece[] {
  const breaks = [...text.matchAll(BREAK)].map(({ index }) => index)
  const pieces: Piece[] = []
  let group: Word[] = []
  let next = 0
  const close = () => {
    if (group.length === 0) return
    const [first, last] = [group[0] as Word, group.at(-1) as Word]
    pieces.push({ start: first.start, end: last.end, words: group.map(({ word }) => word) })
    group = []
  }
  for (const word of words) {
    const isBroken = next < breaks.length && word.start >= (breaks[next] as number)
    if (isBroken || group.length >= PASSAGE_WORDS) close()
    while (next < breaks.length && word.start >= (breaks[next] as number)) next += 1
    group.push(word)
  }
  close()
  return pieces.map((piece, i) => ({ ...piece, end: endOf(text, piece, pieces[i + 1]) }))
}

/** Includes the closing punctuation. */
function endOf(text: string, { end }: Piece, following: Piece | undefined): number {
  const rest = text.slice(end, following?.start ?? text.length)
  return end + (/^[^\s\p{L}\p{N}]*/u.exec(rest)?.[0].length ?? 0)
}

function termsOf({ words }: Piece, lookup: TermLookup): ReadonlyMap<number, number> {
  const terms = new Map<number, number>()
  for (const [i, word] of words.entries()) {
    for (const [term, share] of lookup.sharesOf(word, words[i - 1] ?? ''))
      terms.set(term, Math.max(share, terms.get(term) ?? 0))
  }
  return terms
}

interface Window {
  readonly from: number
  readonly to: number
}

function bestWindow(
  pieces: readonly Piece[],
  read: (piece: Piece) => ReadonlyMap<number, number>,
  weightOf: (term: number) => number,
): Window {
  const terms = pieces.map(read)
  let best: Window = { from: 0, to: 0 }
  let bestScore = -1
  for (let from = 0; from < pieces.length; from++) {
    const to = lastOfWindow(pieces, from)
    const score = scoreWindow(terms.slice(from, to + 1), weightOf)
    if (score > bestScore) [best, bestScore] = [{ from, to }, score]
  }
  return best
}

function lastOfWindow(pieces: readonly Piece[], from: number): number {
  let count = (pieces[from] as Piece).words.length
  let to = from
  while (to + 1 < pieces.length && count + (pieces[to + 1] as Piece).words.length <= PASSAGE_WORDS) {
    to += 1
    count += (pieces[to] as Piece).words.length
  }
  return to
}

/** Each term by its best share, plus a little for every further sentence that has it. */
function scoreWindow(
  pieces: readonly ReadonlyMap<number, number>[],
  weightOf: (term: number) => number,
): number {
  const best = new Map<number, number>()
  let again = 0
  for (const terms of pieces) {
    for (const [term, share] of terms) {
      if (best.has(term)) again += 0.1 * share * weightOf(term)
      best.set(term, Math.max(share, best.get(term) ?? 0))
    }
  }
  let sum = again
  for (const [term, share] of best) sum += share * weightOf(term)
  return sum
}
