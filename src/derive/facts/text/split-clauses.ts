// Splits text into sentences, and sentences into clauses. People write "I'm Noor, I'm 28 and living in Porto, can
// you help me?": only the last clause is a question, and "living in Porto" takes its subject from the previous
// clause. A clause begins at a subject, a question or a condition, not at every comma, since place names and
// lists contain commas too.

import { alternatives, multilineRegExp } from '../../../domain/multiline-regexp.ts'
import { matchAll } from '../../../domain/words.ts'

/** One statement or question within a sentence. */
export interface Clause {
  readonly text: string
  /** The word that connects it to the previous clause: and, but, because, if, when, who … */
  readonly lead: string
  readonly isQuestion: boolean
}

const END = /(?<=[.!?…])["')]*\s+(?=["'(]?[\p{Lu}\p{N}i]|[a-z]{2,})|\n+|(?<=[。！？])/u
const ABBREVIATION =
  /(?:\b(?:mr|mrs|ms|dr|prof|st|vs|etc|e\.g|i\.e|approx|no|jr|sr|inc|ltd|a\.m|p\.m)|\b\p{Lu})\.$/iu
const ASKS = multilineRegExp('i')`
    ^(?:can|could|would|will|should|do|does|did|is|are|was|were|am|have|has|how|what|what's|which|who|whose|
    where|when|why|any|isn't|aren't|don't|doesn't|got any|help|tell|show|give|explain|suggest|please)\b`
const SUBJECT = alternatives`
  (?:i|i'm|i've|i'll|i'd|we|we're|we've|we'll|he|he's|she|she's|they|they're|it|it's|you|you're|my|our|his|
  her|their|this|that|that's|there|there's)\b`
const JOINT = alternatives`
  (?:and|but|so|because|since|though|although|while|whereas|plus|then|or|as|when|whenever|yet|before|after|
  until|'cause|cause|cuz|where|once|considering(?: that)?|given(?: that)?|knowing(?: that)?)`
const VERB = alternatives`
  (?:(?:living|working|studying|based|live|lives|work|works|moved|started) (?:\w+ )?(?:in|at|as|for|to|
  from)|(?:using|learning|hate|enjoy|prefer|loves|speak|own|drive|have an?|has an?|grew up|was born|am|
  is)(?= \w))\b`
const ASKING = alternatives`
  (?:can|could|would|should|do|does|is|are|how|what|what's|which|where|why|any)\b(?=\s+(?:you|i|we|it|there|
  do|can|should|is|are|the|would|much|many|about|to|a|any|anyone|someone|kind|sort|ideas|tips|advice|\w+)\b)`
const BREAK = new RegExp(
  [
    `\\s*(?:[;—–]|\\s-+\\s|--|[()]|:(?=\\s)|…)\\s*(?:(${JOINT})\\s+)?`,
    `,?\\s+(${JOINT})\\s+(?=${SUBJECT})`,
    `,\\s+(?:(${JOINT})\\s+)?(?=(?:${SUBJECT}|${ASKING}))`,
    `,?\\s+(and|but)\\s+(?=${VERB})`,
    `,?\\s+(if|unless|whether|who|who's|which|as if|in case)\\s+`,
    `,\\s+(?=${VERB})`,
  ].join('|'),
  'gi',
)

/** The sentences of a text, in order. */
export function splitSentences(text: string): string[] {
  const sentences: string[] = []
  let held = ''
  for (const piece of text.split(END)) {
    held = held === '' ? piece : `${held} ${piece}`
    if (ABBREVIATION.test(held)) continue
    sentences.push(held.trim())
    held = ''
  }
  sentences.push(held.trim())
  return sentences.filter((sentence) => sentence !== '')
}

/** The clauses of a sentence, each with its connecting word and whether it is a question. */
export function splitClauses(sentence: string): Clause[] {
  const pieces = cut(sentence)
  const asks = /\?\W*$/.test(sentence)
  const first = pieces.findIndex(({ text }) => ASKS.test(text))
  const questionsFrom = asks && first < 0 ? 0 : first
  return pieces.map(({ text, lead }, place) => {
    const isAfterQuestion = questionsFrom >= 0 && place >= questionsFrom && (asks || place === questionsFrom)
    return {
      text: text.replace(/[.!?,\s]+$/u, ''),
      lead,
      isQuestion: isAfterQuestion && isAsking(text, asks),
    }
  })
}

// "Please always answer in French." matches the list above, but is an instruction.
const isAsking = (text: string, asks: boolean): boolean =>
  asks || !/^(?:please|tell|show|give|have)\b/i.test(text)

function cut(sentence: string): { text: string; lead: string }[] {
  const pieces: { text: string; lead: string }[] = []
  let from = 0
  let lead = ''
  for (const found of matchAll(sentence, BREAK)) {
    pieces.push({ text: sentence.slice(from, found.index), lead })
    from = found.index + found[0].length
    lead = (found.slice(1).find((group) => group !== undefined) ?? '').toLowerCase()
  }
  pieces.push({ text: sentence.slice(from), lead })
  return pieces.map(openWithCondition).filter(({ text }) => text.trim() !== '')
}

function openWithCondition(piece: { text: string; lead: string }): { text: string; lead: string } {
  const opening =
    /^\s*(?:and |but |so |or |even |only |because )?(if|unless|whether|when|whenever|while|because|since)\s+/i.exec(
      piece.text,
    )
  if (opening?.[1] === undefined) return { ...piece, text: piece.text.trim() }
  return { text: piece.text.slice(opening[0].length).trim(), lead: opening[1].toLowerCase() }
}
