// Rewrites a sentence in the third person: pronouns become names, and their verbs agree. "I am vegetarian" → "Ana
// is vegetarian"; "my wife and I live here" → "Ana's wife and Ana live here". "We" becomes "they". The verb is
// what follows the pronoun and its adverbs; a verb joined to it by "and" agrees too. Nothing is parsed: what word
// lists and neighbouring words cannot decide stays as it is.

import { isBaseVerb, isPast, isTimeless, toThirdPersonForm } from './english-verbs.ts'
import type { SentenceWord } from './sentence-words.ts'
import {
  BE_HAVE_DO,
  DETERMINERS,
  isAdverb,
  isAuxiliary,
  MODALS,
  NOUN_VERBS,
  PREPOSITIONS,
  QUESTION_WORDS,
  SUBJECTS,
} from './word-lists.ts'

/** Speaker and addressee, as written inside a sentence: "Ana", "the user". */
export interface Voices {
  readonly speaker: string
  /** Missing if it is unknown who is meant by "you". */
  readonly addressee?: string | undefined
}

const AGREEING: ReadonlyMap<string, string> = new Map(
  Object.entries({
    am: 'is',
    are: 'is',
    have: 'has',
    do: 'does',
    "don't": "doesn't",
    "haven't": "hasn't",
    "aren't": "isn't",
    "ain't": "isn't",
  }),
)
/** Only after "you": "if I were" stays. */
const AGREEING_PAST: ReadonlyMap<string, string> = new Map(
  Object.entries({ were: 'was', "weren't": "wasn't" }),
)
const PLURAL: ReadonlyMap<string, string> = new Map(
  Object.entries({ we: 'they', us: 'them', our: 'their', ours: 'theirs', ourselves: 'themselves' }),
)
/** After these, "you" and a base verb are not a clause: "help you find". */
const BEFORE_INFINITIVE: ReadonlySet<string> = new Set(
  'help helps helped let lets make makes made see sees saw hear heard watch have thank suggest suggested'.split(
    ' ',
  ),
)
/** Only the subject is between one of these and its verb. */
const CLAUSE_OPENERS: ReadonlySet<string> = new Set(
  'if when whenever once until unless while because that what where'.split(' '),
)
/** Prepositions that can also begin a clause: "until you reach the bridge". */
const BEFORE_CLAUSE: ReadonlySet<string> = new Set('than as like until since before after'.split(' '))

/** The words in the third person; undefined if "you" occurs and the addressee is unknown. */
export function toThirdPerson(words: readonly SentenceWord[], voices: Voices): SentenceWord[] | undefined {
  const out = [...words]
  for (const [place, { word }] of words.entries()) {
    const pronoun = word.toLowerCase()
    const name = nameFor(pronoun, voices)
    if (name === undefined) continue
    if (name === '') return undefined
    set(out, place, name)
    if (pronoun === 'i' || (pronoun === 'you' && isSubject(words, place))) agree(out, words, place)
  }
  return out
}

/** The name for a pronoun; undefined for any other word, empty if nobody is known. */
function nameFor(pronoun: string, { speaker, addressee }: Voices): string | undefined {
  if (pronoun === 'i' || pronoun === 'me') return speaker
  if (pronoun === 'my' || pronoun === 'mine') return `${speaker}'s`
  if (pronoun === 'myself' || pronoun === 'yourself') return 'themselves'
  if (pronoun === 'you') return addressee ?? ''
  if (pronoun === 'your' || pronoun === 'yours') return addressee === undefined ? '' : `${addressee}'s`
  return PLURAL.get(pronoun)
}

function set(words: SentenceWord[], place: number, word: string): void {
  const old = words[place]
  if (old !== undefined) words[place] = { ...old, word }
}

/** "You" before a verb is its subject, unless a word before it takes it as its object. */
function isSubject(words: readonly SentenceWord[], place: number): boolean {
  const before = at(words, place - 1)
  if (takesObject(before)) return false
  const verb = at(words, skipAdverbs(words, place + 1))
  return isAuxiliary(verb) || isBaseVerb(verb) || (CLAUSE_OPENERS.has(before) && isUnknownVerb(verb))
}

function takesObject(before: string): boolean {
  return BEFORE_INFINITIVE.has(before) || (PREPOSITIONS.has(before) && !BEFORE_CLAUSE.has(before))
}

function agree(out: SentenceWord[], words: readonly SentenceWord[], subject: number): void {
  if (isPartOfPlural(words, subject) || isInverted(words, subject)) return
  const place = skipAdverbs(words, subject + 1)
  const verb = at(words, place)
  if (place > subject + 1 && words[place - 1]?.after !== '') return
  if (words[subject]?.after !== '') return
  const form = agreeingForm(verb, at(words, subject))
  if (form === undefined) return
  set(out, place, form)
  if (verb !== 'do' && !verb.endsWith("n't") && isMainClause(words, subject)) agreeJoined(out, words, place)
}

/** "How can I use", "suggested that I call": the verb stays in its base form. */
function isInverted(words: readonly SentenceWord[], subject: number): boolean {
  const before = at(words, subject - 1)
  if (before === 'that') return /^(?:suggest|recommend|insist|demand)/.test(at(words, subject - 2))
  return isAuxiliary(before) && words[subject - 1]?.after === ''
}

/** "My wife and I live": plural, unless there is a verb before the "and". */
function isPartOfPlural(words: readonly SentenceWord[], subject: number): boolean {
  if (at(words, subject + 1) === 'and' && SUBJECTS.has(at(words, subject + 2))) return true
  if (at(words, subject - 1) !== 'and') return false
  const before = words.slice(0, subject - 1).map(({ word }) => word.toLowerCase())
  const verb = at(words, skipAdverbs(words, subject + 1))
  return (
    verb !== 'am' &&
    !before.some((word) => isAuxiliary(word) || isPast(word) || SUBJECTS.has(word) || /'(?:s|t)$/.test(word))
  )
}

function agreeingForm(verb: string, subject: string): string | undefined {
  if (subject === 'you' && AGREEING_PAST.has(verb)) return AGREEING_PAST.get(verb)
  const agreeing = AGREEING.get(verb)
  if (agreeing !== undefined) return agreeing
  if (MODALS.has(verb) || BE_HAVE_DO.has(verb) || isPast(verb) || isTimeless(verb)) return undefined
  return isBaseVerb(verb) || isUnknownVerb(verb) ? toThirdPersonForm(verb) : undefined
}

/** The word after "I" or "if you" is a verb, known or not, unless it is a conjunction or already has an ending. */
function isUnknownVerb(word: string): boolean {
  return /^[a-z]{3,}$/.test(word) && !/s$|ing$/.test(word) && !PREPOSITIONS.has(word) && word !== 'and'
}

/** After "I will make" or "I want to make", a joined verb may belong to the second one. */
function isMainClause(words: readonly SentenceWord[], subject: number): boolean {
  return !words
    .slice(0, subject)
    .some(({ word }) => isAuxiliary(word.toLowerCase()) || word.toLowerCase() === 'to')
}

/** "I jog and play": the second verb has the same subject, as long as no new clause has begun in between. */
function agreeJoined(out: SentenceWord[], words: readonly SentenceWord[], from: number): void {
  for (let place = from + 1; place < words.length; place++) {
    const word = at(words, place)
    if (word === 'to' || SUBJECTS.has(word) || isAuxiliary(word) || QUESTION_WORDS.has(word)) return
    if (word !== 'and' && word !== 'or' && word !== 'but') continue
    const verb = skipAdverbs(words, place + 1)
    if (isJoinedVerb(words, verb)) set(out, verb, toThirdPersonForm(at(words, verb)))
  }
}

function isJoinedVerb(words: readonly SentenceWord[], place: number): boolean {
  const word = at(words, place)
  if (!isBaseVerb(word) || word === 'be') return false
  const next = at(words, place + 1)
  return !NOUN_VERBS.has(word) || DETERMINERS.has(next) || PREPOSITIONS.has(next)
}

function skipAdverbs(words: readonly SentenceWord[], from: number): number {
  let place = from
  while (isAdverb(at(words, place))) place++
  return place
}

function at(words: readonly SentenceWord[], place: number): string {
  return words[place]?.word.toLowerCase() ?? ''
}
