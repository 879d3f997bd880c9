// Turns a question into reported speech: "Where did you stay?" → "Ana asks where Ben stayed". The words are first
// put into the order of a statement ("where you stayed"), then into the third person.

import { isBaseVerb, isParticiple, isPast, isTimeless, toPast, toThirdPersonForm } from './english-verbs.ts'
import { type Report, say } from './report.ts'
import { reportWish } from './report-wish.ts'
import { joinWords, lowerWords, plain, type SentenceWord } from './sentence-words.ts'
import { toThirdPerson, type Voices } from './to-third-person.ts'
import { DETERMINERS, isAdverb, isAuxiliary, PREPOSITIONS, QUESTION_WORDS, SUBJECTS } from './word-lists.ts'

/** "Which of the two hotels" before the verb. */
const LONGEST_QUESTION_PHRASE = 6
/** "What is the difference between the two?": anything longer contains a verb. */
const LONGEST_THING = 8

/** The report of a question without its question mark; undefined if it cannot be reported grammatically. */
export function reportQuestion(words: readonly SentenceWord[], voices: Voices): Report | undefined {
  if (hasSecondQuestion(words)) return undefined
  return reportWish(words, voices) ?? reportAsking(words, voices)
}

/** "Are you in pain, or is there any fluid?": only the first clause would be reordered. */
export function hasSecondQuestion(
  words: readonly SentenceWord[],
  lower: readonly string[] = lowerWords(words),
): boolean {
  return lower.some(
    (word, place) =>
      word === "let's" ||
      (place > 1 && isAuxiliary(word) && SUBJECTS.has(lower[place + 1] ?? '') && opensClause(words, place)),
  )
}

function opensClause(words: readonly SentenceWord[], place: number): boolean {
  const before = words[place - 1]
  return (
    before !== undefined &&
    (before.after !== '' || before.word === '' || /^(?:and|or|but|so|why|how|what)$/i.test(before.word))
  )
}

function reportAsking(words: readonly SentenceWord[], voices: Voices): Report | undefined {
  const [first = '', second = ''] = lowerWords(words)
  if (isAuxiliary(first)) {
    const clause = toStatement(words)
    return clause && sayAsking([plain('whether'), ...clause], voices)
  }
  if (!QUESTION_WORDS.has(first.replace(/'s$/, ''))) return undefined
  if (/^(?:what|who)(?:'s| is| are)$/.test(isAuxiliary(second) ? `${first} ${second}` : first))
    return reportIdentity(words, first.endsWith("'s") ? 1 : 2, voices)
  if ((first === 'who' || first === 'what') && isPast(second) && !isAuxiliary(second))
    return sayAsking(words, voices)
  return reportWhQuestion(words, voices)
}

/** "What's your hobby?" → "asks about Ben's hobby". */
function reportIdentity(words: readonly SentenceWord[], from: number, voices: Voices): Report | undefined {
  const rest = words.slice(from)
  const [first = '', second = ''] = lowerWords(rest)
  if (SUBJECTS.has(first) && !DETERMINERS.has(first)) return reportWhQuestion(expandIs(words), voices)
  const isThing = DETERMINERS.has(first) && !isAuxiliary(second) && rest.length <= LONGEST_THING
  const hasVerb = lowerWords(rest).some(
    (word) => word.endsWith('ing') || isAuxiliary(word) || word === 'like',
  )
  if (!isThing || hasVerb || second === 'matter' || rest.length < 2) return undefined
  return say(`${voices.speaker} asks about`, { rest, voices, act: 'ask' })
}

function expandIs(words: readonly SentenceWord[]): SentenceWord[] {
  const [first, ...rest] = words
  if (first === undefined || !first.word.endsWith("'s")) return [...words]
  return [{ ...first, word: first.word.slice(0, -2) }, plain('is'), ...rest]
}

function reportWhQuestion(words: readonly SentenceWord[], voices: Voices): Report | undefined {
  const lower = lowerWords(words)
  const verb = lower.findIndex((word, place) => place > 0 && isAuxiliary(word))
  if (verb < 1 || verb > LONGEST_QUESTION_PHRASE) return undefined
  // "When you boil it, could you …": the question does not start with its first word.
  if (lower.slice(1, verb).some((word) => SUBJECTS.has(word))) return undefined
  const clause = toStatement(words.slice(verb))
  return clause && sayAsking([...words.slice(0, verb), ...clause], voices)
}

function sayAsking(clause: readonly SentenceWord[], voices: Voices): Report | undefined {
  const lowered = clause.map((word, place) =>
    place === 0 ? { ...word, word: word.word.toLowerCase() } : word,
  )
  const reported = toThirdPerson(lowered, voices)
  if (reported === undefined) return undefined
  const text = joinWords(reported)
  const isAddresseeNamed = voices.addressee === undefined || text.includes(voices.addressee)
  const asks = isAddresseeNamed ? 'asks' : `asks ${voices.addressee}`
  return { text: `${voices.speaker} ${asks} ${text}`, act: 'ask' }
}

// Puts a question into the order of a statement: "did you stay there" → "you stayed there". This requires finding
// the end of the subject: a pronoun is one word, and a noun phrase ends where a verb of the form that the
// auxiliary requires begins. If the end is unclear, there is no statement.

/** The longest subject to look for: "the last train to the airport". */
const LONGEST_SUBJECT = 6

/** Starts at the auxiliary: "did you stay there" → "you stayed there". */
function toStatement(words: readonly SentenceWord[]): SentenceWord[] | undefined {
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
