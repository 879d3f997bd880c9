// Statements: short, self-contained clauses that are worth keeping because of what is in them. They are found by
// structure, in any language that `languages.ts` has a few words of, and not by what they are about.
//
//   spoken text ─▶ sentences ─▶ drop questions, guesses, requests, hearsay ─▶ read values and names ─▶ score
//
// A sentence scores for every date, amount, measure, code and name in it, for a verb of what lasts, for being a rule,
// and for saying that something changed. Three points keep it. One with fewer is passed on as weak: it is worth
// keeping only where it changes something that is known ("the excess is 750 now"), which is decided when facts are
// folded (reconcile-facts.ts, supersede.ts).
//
// What no longer holds is taken out of the text ("from 9:30 to 10:00", "21 days, not 28"; take-out-past.ts).

import { announcesChange, CHANGED, CORRECTING, ENDED } from '../../../domain/change-words.ts'
import { isTelling } from '../../../domain/subject-words.ts'
import { isContentWord, listWords } from '../../../domain/words.ts'
import { isPlay, isStory } from '../text/is-doubtful.ts'
import { answerWith } from './answer-question.ts'
import {
  AS_RULE,
  CONDITION,
  DURABLE,
  FIRST_PERSON,
  HEARSAY,
  HEDGED,
  isAsked,
  OF_PERSON,
  OPENING,
  REPEATED,
  REQUEST,
  STANDING,
  TAKEN_BACK,
} from './languages.ts'
import { isDateWord, readValues, type TypedValue } from './read-values.ts'
import {
  isIntroduction,
  type ReferenceOptions,
  type ResolvedSentence,
  resolveReferences,
} from './resolve-references.ts'
import { MAX_CHARACTERS, type Sentence, splitSentences } from './split-sentences.ts'
import { takeOutPast } from './take-out-past.ts'

/** What a statement is about and what it says, as far as newer statements need it. Stored with the extracted fact. */
export interface StatementDetails {
  readonly values: readonly TypedValue[]
  /** Values that it says are over: "not 31", "from 9:30". */
  readonly replaced: readonly TypedValue[]
  readonly names: readonly string[]
  /** Stems of its content words and names, without its values. */
  readonly terms: readonly string[]
  /** Stems of the names in a message that announces a change: what its statements change may be named beside them. */
  readonly around?: readonly string[]
  readonly isChange: boolean
  /** It gives a new value and does not say of what: "so the 24th". */
  readonly isBare?: true
  readonly isEnd: boolean
  /** Worth keeping only where it changes something that is known. */
  readonly isWeak: boolean
}

export interface FoundStatement {
  readonly text: string
  /** The sentence as it was written. */
  readonly evidence: string
  /** How the speaker wants things from now on. */
  readonly isRule: boolean
  readonly details: StatementDetails
}

const MIN_SCORE = 3
/** Below this a sentence has nothing that could change anything, unless it says that something ended. */
const MIN_WEAK_SCORE = 1

/** `spoken` is what a person says in their own name (text/keep-spoken.ts). */
export function findStatements(spoken: string, before: SaidBefore = {}): FoundStatement[] {
  return readStatements(spoken, before).statements
}

/** What the message continues. */
export interface SaidBefore extends ReferenceOptions {
  /** What the assistant just asked about (answer-question.ts). */
  readonly asked?: string | undefined
}

export interface ReadStatements {
  readonly statements: FoundStatement[]
  /** The only person spoken of. */
  readonly person: string | undefined
}

export function readStatements(spoken: string, before: SaidBefore): ReadStatements {
  const { sentences, person } = resolveReferences(splitSentences(spoken), before)
  const answered = sentences.map((sentence, place) => (place === 0 ? asAnswer(sentence, before) : sentence))
  return { statements: findIn(answered, spoken, before), person }
}

function asAnswer(sentence: ResolvedSentence, { asked }: SaidBefore): ResolvedSentence {
  const answer = asked === undefined ? undefined : answerWith(asked, sentence.text)
  return answer === undefined ? sentence : { ...sentence, text: answer, isListed: true }
}

function findIn(
  sentences: readonly ResolvedSentence[],
  spoken: string,
  { isPerson }: SaidBefore,
): FoundStatement[] {
  const lower = sentences.filter(({ text }) => /^\p{Ll}/u.test(text)).length
  const writesLowerCase = lower * 2 > sentences.length
  const found = sentences
    .filter((_, place) => !isTakenBack(sentences[place + 1]))
    .flatMap((sentence) => readSentence(sentence, { writesLowerCase, isPerson }))
  const isAnnounced = announcesChange(spoken)
  if (!(isAnnounced || CORRECTING.test(spoken))) return found
  const around = isAnnounced ? namesAround(sentences, { writesLowerCase, isPerson }) : []
  return found.map((statement) => asChange(statement, around))
}

/** "… no wait, she is only thinking about it." A correction that gives a value needs what it corrects. */
const isTakenBack = (next: Sentence | undefined): boolean =>
  next !== undefined && TAKEN_BACK.test(next.text) && readValues(next.text).length === 0

function asChange(statement: FoundStatement, around: readonly string[]): FoundStatement {
  const details = around.length === 0 ? statement.details : { ...statement.details, around }
  if (!isBare(statement)) return { ...statement, details }
  return { ...statement, details: { ...details, isBare: true, isWeak: true } }
}

const EVERY_CHANGE = new RegExp(CHANGED, 'giu')

function isBare({ text, isRule, details: { values, names, isEnd } }: FoundStatement): boolean {
  if (values.length === 0 || names.length > 0 || isRule || isEnd) return false
  const rest = text.replace(CORRECTING, ' ').replace(EVERY_CHANGE, ' ')
  return findTerms(rest, values, names).length === 0
}

function namesAround(sentences: readonly Sentence[], writer: Writer): readonly string[] {
  const names = sentences.flatMap(({ text }) => findNames(text, writer))
  return [...new Set(names.flatMap((name) => [...listWords(name)].map(toStem)))]
}

interface Writer {
  readonly writesLowerCase: boolean
  readonly isPerson: SaidBefore['isPerson']
}

function readSentence(
  { text: sentence, written, isListed }: ResolvedSentence,
  writer: Writer,
): FoundStatement[] {
  const said = sentence
    .replace(OPENING, '')
    .replace(/[.,;:\s]+$/u, '')
    .trim()
  const isRule = STANDING.test(said) && AS_RULE.test(said)
  if (said.length > MAX_CHARACTERS || !isSaidOutright(said, isRule)) return []
  const { text, replaced } = takeOutPast(said)
  const details = readDetails(text, replaced, writer)
  const score = scoreOf(text, details) + (isRule ? 3 : 0) + (isListed ? LISTED : 0)
  const isEnd = ENDED.test(said)
  if (details.terms.length + details.values.length === 0) return []
  if (score < MIN_WEAK_SCORE && !isEnd) return []
  const isWeak = score < MIN_SCORE || details.terms.length === 0
  return [{ text, evidence: written, isRule, details: { ...details, isEnd, isWeak } }]
}

/** A date in a list says what happens then, as in "deadline: 15 January". */
const LISTED = 1.5

/** What it points at is not in the sentence. */
const POINTING =
  /^(?:this|that|these|those|das|dies|esto|eso|ceci|cela|ça|isso|isto|questo|quello)(?:'s| is| are| was|ist| es| est| é| è)(?![\p{L}])/iu

/** No question, guess, condition, request or hearsay. A rule may begin with "if" or an imperative. */
function isSaidOutright(said: string, isRule: boolean): boolean {
  if (isAsked(said) || HEDGED.test(said) || HEARSAY.test(said) || REPEATED.test(said)) return false
  if (isPlay(said) || isStory(said)) return false
  if (POINTING.test(said)) return false
  if (isRule) return true
  const opening = said.split(/\s+/u, 2).join(' ')
  return !(CONDITION.test(opening) || REQUEST.test(said)) && listWords(said).length >= 2
}

function readDetails(
  text: string,
  replaced: readonly TypedValue[],
  writer: Writer,
): Omit<StatementDetails, 'isEnd' | 'isWeak'> {
  const values = readValues(text)
  const names = findNames(text, writer)
  return { values, replaced, names, terms: findTerms(text, values, names), isChange: CHANGED.test(text) }
}

const WEIGHTS: Readonly<Record<TypedValue['type'], number>> = {
  date: 1.5,
  time: 1.5,
  money: 1.5,
  measure: 1.5,
  number: 1, // alone, a number says least
  code: 2, // a booking code or a policy number is always worth keeping
  version: 1,
}

/** "churn is 3.4", "deadline: 15 January", "4.7 → Tuesday". */
const IS_VALUE =
  /^(?:\p{L}[\p{L}'’-]* ){0,4}?[\p{L}\p{N}.'’-]+(?:'s| is| are| was|:| =| →| ist| es| est| é| è)(?: now| jetzt| agora| ora| ahora)? (?:the |il |el |le |at |to |am |um )?[€$£r]?\$?\d/iu

function scoreOf(
  text: string,
  { values, names, isChange }: Pick<StatementDetails, 'values' | 'names' | 'isChange'>,
): number {
  const counted = values.reduce((sum, { type }) => sum + WEIGHTS[type], 0)
  return (
    Math.min(3, counted) +
    Math.min(2, names.length) +
    (DURABLE.test(text) ? 1.5 : 0) +
    (OF_PERSON.test(text) ? 2.5 : 0) +
    (isIntroduction(text) ? 2 : 0) +
    (/\d/.test(text) && IS_VALUE.test(text) ? 1.5 : 0) +
    (isChange ? 0.5 : 0) +
    (FIRST_PERSON.test(text) ? 0.5 : 0)
  )
}

const NAME =
  /(?<=[\p{L}\p{N},;:)(→]["']?\s?\(?)(?<!\p{L})(?:(?:Dr|Mr|Mrs|Ms|Herr|Frau|Prof)\.? )?\p{Lu}[\p{L}'’-]*\p{Ll}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]+)*/gu
const FIRST_NAME = /^\p{Lu}[\p{L}'’-]*\p{Ll}+(?: \p{Lu}[\p{L}'’-]+)*/u

const HAS_CAPITAL = /\p{Lu}/u
const HAS_LATER_CAPITAL = /.\p{Lu}/su

/**
 * Capitals within a sentence. At its start they count where the writer begins sentences with small letters, or where a
 * second name, a bracket or a genitive follows.
 */
function findNames(text: string, { writesLowerCase, isPerson }: Writer): string[] {
  if (!HAS_CAPITAL.test(text)) return []
  const names = HAS_LATER_CAPITAL.test(text) ? [...(text.match(NAME) ?? [])] : []
  const first = FIRST_NAME.exec(text)?.[0]
  const isKnown = first !== undefined && isPerson?.(listFirst(first)) === true
  const isName = writesLowerCase || isKnown || /^\S+(?: \p{Lu}\S+| ?\(|['’]s )/u.test(text)
  if (first !== undefined && isName && isContentWord(listWords(first)[0] ?? '')) names.push(first)
  return names.map((name) => name.replace(/['’]s?$/u, '')).filter((name) => !isDateWord(name))
}

const listFirst = (name: string): string => name.split(' ', 1)[0] ?? name

/** A version or a code in front is what the statement is about: "4.7 goes out on 12 May". */
const LEADING_CODE = /^(?:v?\d+(?:\.\d+)+|[\p{Lu}\d]+-\d+)(?=\s)/u

/** "After the deadline" says when, and nothing of the deadline. */
const REFERENCE =
  /(?<!\p{L})(?:after|before|since|nach|vor|seit|después de|antes de|après|avant|depois d|antes d|dopo|prima d\p{L}*) ?(?:the|my|our|dem|der|den|la|el|le|l'|o|a|il)? \p{Ll}+/giu

function findTerms(text: string, values: readonly TypedValue[], names: readonly string[]): string[] {
  const inValues = wordsOf(values.map((value) => value.text))
  const inNames = wordsOf(names)
  const stems = listWords(text.replace(REFERENCE, ' '))
    .filter((word) => !inValues.has(word) && (inNames.has(word) || isTerm(word)))
    .map(toStem)
  const code = LEADING_CODE.exec(text)?.[0]
  return [...new Set(code === undefined ? stems : [code.toLowerCase(), ...stems])]
}

const NO_WORDS: ReadonlySet<string> = new Set()
const wordsOf = (texts: readonly string[]): ReadonlySet<string> =>
  texts.length === 0 ? NO_WORDS : new Set(texts.flatMap(listWords))

const isTerm = (word: string): boolean => isTelling(word) && !isDateWord(word)

/** Crude, and the same for all languages: the part that forms of a word mostly have in common. */
export const toStem = (word: string): string => word.slice(0, Math.max(4, Math.ceil(word.length * 0.7)))
