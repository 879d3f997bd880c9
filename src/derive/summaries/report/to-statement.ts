// Puts a question into the order of a statement: "did you stay there" → "you stayed there". This requires finding
// the end of the subject: a pronoun is one word, and a noun phrase ends where a verb of the form that the
// auxiliary requires begins. If the end is unclear, there is no statement.

import { isBaseVerb, isParticiple, isTimeless, toPast, toThirdPersonForm } from './english-verbs.ts'
import { lowerWords, plain, type SentenceWord } from './sentence-words.ts'
import { DETERMINERS, isAdverb, PREPOSITIONS, SUBJECTS } from './word-lists.ts'

/** The longest subject to look for: "the last train to the airport". */
const LONGEST_SUBJECT = 6

/** Starts at the auxiliary: "did you stay there" → "you stayed there". */
export function toStatement(words: readonly SentenceWord[]): SentenceWord[] | undefined {
  const [auxiliary, ...after] = words
  const helper = auxiliary?.word.toLowerCase() ?? ''
  const length = subjectLength(helper, after)
  if (auxiliary === undefined || length === 0) return undefined
  const [subject, rest] = [after.slice(0, length), after.slice(length)]
  if (rest.length === 0 && helper !== 'are' && helper !== 'is') return undefined
  if (helper === 'do') return [...subject, ...agreeTimeless(subject, rest)]
  if (helper !== 'did' && helper !== 'does') return [...subject, { ...plain(helper) }, ...rest]
  const verb = rest.findIndex(({ word }) => !isAdverb(word.toLowerCase()))
  const base = rest[verb]
  const form = base && inflect(base.word.toLowerCase(), helper)
  if (base === undefined || form === undefined) return undefined
  return [...subject, ...rest.slice(0, verb), { ...base, word: form }, ...rest.slice(verb + 1)]
}

/** "How do I set it up" is about the present, which "set" alone would not show. */
function agreeTimeless(subject: readonly SentenceWord[], rest: readonly SentenceWord[]): SentenceWord[] {
  const [verb, ...after] = rest
  const isOne = /^(?:i|you)$/i.test(subject[0]?.word ?? '') && subject.length === 1
  if (verb === undefined || !isOne || !isTimeless(verb.word.toLowerCase())) return [...rest]
  return [{ ...verb, word: toThirdPersonForm(verb.word.toLowerCase()) }, ...after]
}

function inflect(base: string, helper: 'did' | 'does'): string | undefined {
  if (helper === 'did') return toPast(base)
  return isBaseVerb(base) ? toThirdPersonForm(base) : undefined
}

/** The number of words in the subject after an auxiliary; 0 if it is unclear. */
function subjectLength(helper: string, after: readonly SentenceWord[]): number {
  const words = lowerWords(after)
  const [first = '', second = ''] = words
  if (SUBJECTS.has(first) && (!DETERMINERS.has(first) || standsAlone(second))) return 1
  const isName = /^\p{Lu}/u.test(after[0]?.word ?? '')
  if (
    !(DETERMINERS.has(first) || isName) ||
    /^(?:am|is|are|was|were|isn't|aren't|wasn't|weren't)$/.test(helper)
  )
    return 0
  const isVerb = /^ha(?:ve|s|d)/.test(helper) ? isParticiple : isBaseVerb
  const verb = words.findIndex((word, place) => place >= (isName ? 1 : 2) && isVerb(word))
  return verb > 0 && verb <= LONGEST_SUBJECT ? verb : 0
}

/** Before such a word, "this" is the whole subject. */
function standsAlone(next: string): boolean {
  return DETERMINERS.has(next) || PREPOSITIONS.has(next) || isAdverb(next) || isBaseVerb(next) || next === ''
}
