import type { SearchTerm, Snippet } from '../../domain/search.ts'
import { findWords, type Word } from '../../domain/words.ts'

/** About two lines of a terminal or a list. */
const SNIPPET_CHARACTERS = 160
/** Shown before the first hit. */
const LEAD_CHARACTERS = 30
/** With more hits than this, any part of the text will do. */
const MAX_HITS = 100

type Span = readonly [start: number, end: number]

/** The part of the text with the most hits, cut at words, with the hits marked. */
export function makeSnippet(text: string, terms: readonly SearchTerm[]): Snippet {
  const words = findWords(text)
  const hits = findHits(words, terms)
  const [from, to] = bestWindow(text, words, hits)
  const before = from > 0 ? '…' : ''
  const after = to < text.length ? '…' : ''
  // Control characters become spaces one for one, so that offsets stay valid.
  const cut = text.slice(from, to).replaceAll(/\p{Cc}/gu, ' ')
  const inside = hits.filter(([start, end]) => start >= from && end <= to)
  const shift = before.length - from
  return {
    text: before + cut + after,
    highlights: inside.map(([start, end]): Span => [start + shift, end + shift]),
  }
}

function findHits(words: readonly Word[], terms: readonly SearchTerm[]): Span[] {
  const hits: Span[] = []
  for (let i = 0; i < words.length; i++) {
    const matched = terms.find((term) => matchesAt(words, i, term))
    const [first, last] = [words[i], words[i + (matched?.words.length ?? 1) - 1]]
    if (matched === undefined || first === undefined || last === undefined) continue
    hits.push([first.start, last.end])
    i += matched.words.length - 1
  }
  return hits
}

function matchesAt(words: readonly Word[], at: number, term: SearchTerm): boolean {
  return term.words.every((wanted, i) => {
    const found = words[at + i]?.word
    const isPrefix = term.isPrefix && i === term.words.length - 1
    return isPrefix ? found?.startsWith(wanted) : found === wanted
  })
}

function bestWindow(text: string, words: readonly Word[], hits: readonly Span[]): Span {
  if (text.length <= SNIPPET_CHARACTERS) return [0, text.length]
  const start = Math.max(0, firstOfDensest(hits) - LEAD_CHARACTERS)
  const from = start === 0 ? 0 : (words.find((word) => word.start >= start)?.start ?? start)
  const end = words.findLast((word) => word.end <= from + SNIPPET_CHARACTERS)?.end ?? 0
  return [from, end > from ? end : Math.min(text.length, from + SNIPPET_CHARACTERS)]
}

/** The start of the densest group of hits. */
function firstOfDensest(hits: readonly Span[]): number {
  const countFrom = ([start]: Span) =>
    hits.filter(([from, to]) => from >= start && to - start <= SNIPPET_CHARACTERS).length
  const counts = hits.slice(0, MAX_HITS).map(countFrom)
  return hits[counts.indexOf(Math.max(...counts))]?.[0] ?? 0
}
