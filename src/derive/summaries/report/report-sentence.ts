// Rewrites a sentence as reported speech: "Let's meet at 3:30" → "Ana suggests that they meet at 3:30". Each
// speech act has its own verb, so that the report stays true: a suggestion is not reported as a fact, and a
// statement about the world is attributed to its speaker. English only. Returns undefined if a sentence cannot be
// reported grammatically.

import { cleanSentence } from './clean-sentence.ts'
import { isBaseVerb, isPast, toThirdPersonForm } from './english-verbs.ts'
import { isAside } from './is-aside.ts'
import { finishReport, type Report, say } from './report.ts'
import { reportOrder } from './report-order.ts'
import { hasSecondQuestion, reportQuestion } from './report-question.ts'
import { lowerFirst, lowerWords, plain, type SentenceWord, toWords } from './sentence-words.ts'
import type { Voices } from './to-third-person.ts'
import { isAuxiliary, QUESTION_WORDS, SUBJECTS } from './word-lists.ts'

interface Speech {
  readonly words: readonly SentenceWord[]
  readonly lower: readonly string[]
  readonly voices: Voices
  /** Whether a word is a name, which keeps its capital. */
  readonly isName: (word: string) => boolean
}

/** The report of one sentence. `isName` decides whether its first word keeps its capital. */
export function reportSentence(
  raw: string,
  voices: Voices,
  isName: (word: string) => boolean,
): Report | undefined {
  const sentence = cleanSentence(raw)
  if (isAside(sentence) || isBroken(sentence)) return undefined
  const words = toWords(addSubject(sentence).replace(/[\s.!?…]+$/, ''))
  const speech = { words, lower: lowerWords(words), voices, isName }
  const found =
    sentence.endsWith('?') || isInverted(speech) ? reportQuestion(words, voices) : reportStatement(speech)
  return found && { text: finishReport(found.text), act: found.act }
}

/** "Just got back", "been busy": chats leave out the "I". */
function addSubject(sentence: string): string {
  if (/^been [a-z]/i.test(sentence)) return `I have ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`
  const isCut = /^(?:just )?(?:got|had|went|saw|started|finished|came|met|tried|took|bought|booked)\s/i.test(
    sentence,
  )
  return isCut ? `I ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}` : sentence
}

/** Cut off by the speaker, or with a second clause that a report cannot include. */
function isBroken(sentence: string): boolean {
  if (/[:;,]$|\b(?:and|or|but|because|if|the|a|to)\W*$/i.test(sentence)) return true
  // "I did, but she didn't" depends on the previous sentence.
  if (
    /^i (?:(?:do|did|am|was|have|can|could|will|would)(?:n't)?|(?:want|wanted|used|tried|hoped) to),/i.test(
      sentence,
    )
  )
    return true
  if (sentence.search(/\b(?:let's|let us|let me)\b/i) > 0) return true
  return /\byou\b.*\beach other\b|\byou (?:two|guys|all|both)\b|[\\{}=<>|[\]]/i.test(sentence)
}

/** Transcripts often omit question marks. */
function isInverted({ lower }: Speech): boolean {
  const [first = '', second = '', third = ''] = lower
  if (isAuxiliary(first) && first !== "don't")
    return first.startsWith('do') || first === 'did' || SUBJECTS.has(second)
  return QUESTION_WORDS.has(first) && isAuxiliary(second) && SUBJECTS.has(third)
}

function reportStatement(speech: Speech): Report | undefined {
  return reportOrder(speech) ?? reportTelling(speech)
}

function reportTelling(speech: Speech): Report | undefined {
  const told = dropHedge(speech)
  const [first = '', second = ''] = told.lower
  if (!hasVerb(told.lower) || isExclamation(first, second) || hasSecondQuestion(told.words, told.lower))
    return undefined
  if (first === 'i') return reportOwn(told)
  if (first === 'my') return say('', { rest: told.words, voices: told.voices, act: 'own' })
  const rest = told.isName(told.words[0]?.word ?? '') ? told.words : lowerFirst(told.words)
  return say(`${told.voices.speaker} says`, { rest, voices: told.voices, act: 'tell' })
}

/** "How beautiful they are", "could be better"; but "what I need is". */
function isExclamation(first: string, second: string): boolean {
  if (isAuxiliary(first)) return true
  return /^(?:how|who|why|which|whose)$/.test(first) || (first === 'what' && !SUBJECTS.has(second))
}

/** "I think I will go" says no more than "I will go". */
function dropHedge(speech: Speech): Speech {
  if (speech.lower[0] !== 'i') return speech
  const hedge = /^i (?:think|guess|suppose|believe|mean) (?:that )?(?=i |my )/.exec(speech.lower.join(' '))
  if (hedge === null) return speech
  const length = hedge[0].trim().split(' ').length
  return { ...speech, words: speech.words.slice(length), lower: speech.lower.slice(length) }
}

/** "I'd like to go" is a polite wish. */
function reportOwn({ words, lower, voices }: Speech): Report | undefined {
  const isWish = /^i would (?:like|love) \S/.test(lower.join(' '))
  const rest = isWish ? [plain('I'), plain('want'), ...words.slice(3)] : words
  return say('', { rest, voices, act: 'own' })
}

function hasVerb(lower: readonly string[]): boolean {
  // Nearly every sentence has a verb of the first kinds; the other checks are slower.
  return (
    lower.some(isAuxiliary) ||
    lower.some(isBaseVerb) ||
    lower.some(isPast) ||
    lower.some((word) => /^(?:it|that|there|he|she|what|who|here)'s$/.test(word) || isThirdForm(word))
  )
}

function isThirdForm(word: string): boolean {
  if (!word.endsWith('s')) return false
  const base = word
    .replace(/ies$/, 'y')
    .replace(/(?<=s|x|z|ch|sh|o)es$/, '')
    .replace(/s$/, '')
  return base !== word && isBaseVerb(base) && toThirdPersonForm(base) === word
}
