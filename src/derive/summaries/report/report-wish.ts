// Requests and suggestions in the form of questions: "Could you call them?" → "Ana asks Ben to call them", "Why
// don't we go?" → "Ana suggests that they go".

import { isBaseVerb } from './english-verbs.ts'
import { type Report, say } from './report.ts'
import { lowerWords, type SentenceWord } from './sentence-words.ts'
import type { Voices } from './to-third-person.ts'
import { DETERMINERS, isAuxiliary, SUBJECTS } from './word-lists.ts'

/** "Can you swim?" is a question; "can you call him?" is a request. */
const ABILITIES: ReadonlySet<string> = new Set(
  'swim speak play drive see hear feel believe imagine remember understand know ride sing dance afford guess care'.split(
    ' ',
  ),
)
/** "How about a walk?" is a suggestion; "how about your wife?" is a question. */
const OFFERED =
  /^(?:an?|some|this|another|\d.*|(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|tonight)$/i

/** The report of a request or suggestion in the form of a question; undefined for any other question. */
export function reportWish(words: readonly SentenceWord[], voices: Voices): Report | undefined {
  return reportRequest(words, voices) ?? reportSuggestion(words, voices)
}

function reportRequest(words: readonly SentenceWord[], voices: Voices): Report | undefined {
  const [first, second, third] = lowerWords(words)
  const rest = words.slice(2).filter(({ word }) => word.toLowerCase() !== 'please')
  if (first !== 'can' && first !== 'could' && first !== 'may' && first !== 'would') return undefined
  if (second === 'you' && first !== 'may') return requestOfOther(rest, voices)
  if (second !== 'i' || first === 'would') return undefined
  if ((third === 'have' || third === 'get') && isThing(rest[1]))
    return say(`${voices.speaker} asks for`, { rest: rest.slice(1), voices, act: 'request' })
  if (first === 'can') return undefined
  return isBaseVerb(third ?? '')
    ? say(`${voices.speaker} asks to`, { rest, voices, act: 'request' })
    : undefined
}

function requestOfOther(rest: readonly SentenceWord[], voices: Voices): Report | undefined {
  const verb = rest[0]?.word.toLowerCase() ?? ''
  const isRequest =
    isBaseVerb(verb) &&
    !ABILITIES.has(verb) &&
    !/^(?:like|mind|rather|prefer|be)$/.test(verb) &&
    !lowerWords(rest).includes('yourself')
  if (!isRequest || voices.addressee === undefined) return undefined
  return say(`${voices.speaker} asks ${voices.addressee} to`, { rest, voices, act: 'request' })
}

function reportSuggestion(words: readonly SentenceWord[], voices: Voices): Report | undefined {
  const start = lowerWords(words).slice(0, 3).join(' ')
  const proposal = /^what do you say (?:if )?we (?=\S)/.exec(lowerWords(words).join(' '))
  if (proposal !== null) return suggest(words.slice(proposal[0].trim().split(' ').length), 'we', voices)
  const suggestion = /^(?:(why don't|shall|should|can) (we)|why don't (you))\b/.exec(start)
  if (suggestion !== null)
    return suggest(words.slice(suggestion[0].split(' ').length), suggestion[3] ? 'you' : 'we', voices)
  const about = /^(?:how|what) about (\S+)/.exec(start)
  if (about !== null) return suggestThing(words.slice(2), about[0].startsWith('how'), voices)
  return /^why not \S+/.test(start) ? suggest(words.slice(2), 'you', voices) : undefined
}

function suggest(rest: readonly SentenceWord[], who: string, voices: Voices): Report | undefined {
  const subject = who === 'we' ? 'they' : voices.addressee
  if (subject === undefined || !isBaseVerb(rest[0]?.word.toLowerCase() ?? '')) return undefined
  return say(`${voices.speaker} suggests that ${subject}`, { rest, voices, act: 'suggest' })
}

/** "How about going?" is a suggestion; "what about Monday?" is a question. */
function suggestThing(rest: readonly SentenceWord[], isHow: boolean, voices: Voices): Report | undefined {
  const { speaker } = voices
  const first = rest[0]?.word ?? ''
  if (first.endsWith('ing')) return say(`${speaker} suggests`, { rest, voices, act: 'suggest' })
  if (/^we$/i.test(first)) return suggest(rest.slice(1), 'we', voices)
  if (!isThing(rest[0]) || lowerWords(rest).some((word) => SUBJECTS.has(word) || isAuxiliary(word)))
    return undefined
  if (isHow && OFFERED.test(first)) return say(`${speaker} suggests`, { rest, voices, act: 'suggest' })
  return say(`${speaker} asks about`, { rest, voices, act: 'ask' })
}

function isThing(word: SentenceWord | undefined): boolean {
  return DETERMINERS.has(word?.word.toLowerCase() ?? '') || /^[\p{Lu}\d$€£]/u.test(word?.word ?? '')
}
