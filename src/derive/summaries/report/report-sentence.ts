// Rewrites a sentence as reported speech: "Let's meet at 3:30" → "Ana suggests that they meet at 3:30". Each
// speech act has its own verb, so that the report stays true: a suggestion is not reported as a fact, and a
// statement about the world is attributed to its speaker. English only. Returns undefined if a sentence cannot be
// reported grammatically.

import { cleanSentence } from './clean-sentence.ts'
import { isBaseVerb, isParticiple, isPast, toThirdPersonForm } from './english-verbs.ts'
import { isAside } from './is-aside.ts'
import { finishReport, type Report, say } from './report.ts'
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

// Orders, advice and proposals: "Please sign here" → "Ana asks Ben to sign here".

/** Words that never begin an order: their "I" is left out, or they are not verbs here. */
const NEVER_ORDERED: ReadonlySet<string> = new Set(
  `let thank hope like last wish mean seem sound guess need want love bet suppose wonder belong cost matter believe hate
   own owe miss be fit major object prefer happen appreciate`.split(/\s+/),
)

interface Said {
  readonly words: readonly SentenceWord[]
  readonly lower: readonly string[]
  readonly voices: Voices
}

/** The report of a proposal, a piece of advice or an order; undefined for any other statement. */
function reportOrder(said: Said): Report | undefined {
  return reportProposal(said) ?? reportAdvice(said) ?? reportImperative(said)
}

/** "Let's go" and "let me show you". */
function reportProposal({ words, lower, voices }: Said): Report | undefined {
  const [first, second, third = ''] = lower
  if (first === "let's" || (first === 'let' && second === 'us')) {
    const rest = words.slice(first === 'let' ? 2 : 1)
    return say(`${voices.speaker} suggests that they`, { rest, voices, act: 'suggest' })
  }
  if (first !== 'let' || second !== 'me' || !isBaseVerb(third)) return undefined
  return say(`${voices.speaker} offers to`, { rest: words.slice(2), voices, act: 'own' })
}

/** "You should rest" → "Ana advises Ben to rest". */
function reportAdvice({ words, lower, voices }: Said): Report | undefined {
  if (lower[0] !== 'you' && lower[0] !== 'i') return undefined
  const start = /^(?:i think )?you (should|had better|ought to|must|have to|need to|shouldn't) (not )?/.exec(
    lower.join(' '),
  )
  if (start === null || voices.addressee === undefined) return undefined
  const rest = words.slice(start[0].trim().split(' ').length)
  const [first = '', second = ''] = lowerWords(rest)
  // "You must be tired", "you should have called": not advice.
  if (!isBaseVerb(first) || first === 'be' || (first === 'have' && isParticiple(second))) return undefined
  const verb = /must|have to|need to/.test(start[1] ?? '') ? 'tells' : 'advises'
  const not = start[1] === "shouldn't" || start[2] !== undefined ? ' not' : ''
  return say(`${voices.speaker} ${verb} ${voices.addressee}${not} to`, { rest, voices, act: 'suggest' })
}

function reportImperative({ words, lower, voices: { speaker, addressee } }: Said): Report | undefined {
  const core = words.filter((_, place) => lower[place] !== 'please')
  const isNegative = /^(?:don't|never)$/i.test(core[0]?.word ?? '')
  const order = isNegative ? core.slice(1) : core
  if (addressee === undefined || !isImperative(lowerWords(order.slice(0, 2)))) return undefined
  const rest = lowerFirst(order)
  if (isSpliced(rest)) return undefined
  const verb = core.length < words.length ? 'asks' : 'tells'
  const start = `${speaker} ${verb} ${addressee} ${isNegative ? 'not to' : 'to'}`
  return say(start, { rest, voices: { speaker, addressee }, act: 'request' })
}

/** "Hurry, I don't know what to do": two sentences, and the second is not an order. */
function isSpliced(rest: readonly SentenceWord[]): boolean {
  return rest.some(({ word, after }, place) => {
    const next = rest[place + 1]?.word.toLowerCase() ?? ''
    const isJoint = after === ',' || after === ';' || word.toLowerCase() === 'and'
    return isJoint && (SUBJECTS.has(next) || next === "don't" || /^(?:it|that|he|she|there)'s$/.test(next))
  })
}

function isImperative([verb = '', next = '']: readonly string[]): boolean {
  if (!isBaseVerb(verb) || NEVER_ORDERED.has(verb) || (verb === 'have' && next === 'a')) return false
  // "Look like you got some sun" has lost its subject and is not an order.
  return !isAuxiliary(next) && !isPast(next) && next !== 'of' && next !== 'like'
}
