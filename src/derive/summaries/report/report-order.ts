// Orders, advice and proposals: "Please sign here" → "Ana asks Ben to sign here".

import { isBaseVerb, isParticiple, isPast } from './english-verbs.ts'
import { type Report, say } from './report.ts'
import { lowerFirst, lowerWords, type SentenceWord } from './sentence-words.ts'
import type { Voices } from './to-third-person.ts'
import { isAuxiliary, SUBJECTS } from './word-lists.ts'

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
export function reportOrder(said: Said): Report | undefined {
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
