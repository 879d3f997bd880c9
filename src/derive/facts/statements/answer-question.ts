// "When do you have to be out?" – "28 February." A short answer says nothing without its question, so it is listed
// with the words that the question asks about: "have to be out: 28 February".

import { alternatives } from '../../../domain/multiline-regexp.ts'
import { isTelling } from '../../../domain/subject-words.ts'
import { listWords } from '../../../domain/words.ts'
import { readValues } from './read-values.ts'

const LAST_QUESTION = /(?:^|[.!?:…\n]\s*)¿?([^.!?:…\n]{4,160})\?["')\s]*$/u
/** "Shall I …", "soll ich …": the assistant offers something and asks nothing about the speaker. */
const OFFERS =
  /(?<!\p{L})(?:i|me|let's|ich|mir|yo|je|moi|io|want me|eu|quieres que|veux-tu que|vuoi che)(?!\p{L})/iu
const ASKS_YOU =
  /^.*?(?<!\p{L})(?:do|did|can|could|will|are|have|would|should) (?:you|your \p{L}+|they|we)(?!\p{L}) ?/iu
const YOUR =
  /(?<!\p{L})(?:your|dein\p{L}*|euer|eure\p{L}*|tu|tus|vuestr\p{L}|ton|ta|tes|votre|vos|tuo|tua|vostr\p{L})(?!\p{L}) ?/giu

/** What a question at the end of a message asks about. */
export function readAsked(text: string): string | undefined {
  const question = LAST_QUESTION.exec(text)?.[1]
  if (question === undefined || OFFERS.test(question)) return undefined
  const clause = ASKS_YOU.exec(question)?.[0]
  const words = question
    .replace(YOUR, '')
    .split(WORD_BREAK)
    .filter((word) => word !== '')
  const about = clause === undefined ? undefined : question.slice(clause.length).replace(YOUR, '').trim()
  if (about !== undefined && listWords(about).some(isTelling)) return about
  return trimWords(words.slice(1)) ?? trimWords(words)
}

const WORD_BREAK = /[\s,;¿"()]+|-(?=vous|tu)/u

/** Without the function words on both sides. */
function trimWords(words: readonly string[]): string | undefined {
  const isWord = (word: string) => listWords(word.replace(/^[dl]['’]/u, '')).some(isTelling)
  const first = words.findIndex(isWord)
  return first < 0 ? undefined : words.slice(first, words.findLastIndex(isWord) + 1).join(' ')
}

const YES = /^(?:yes|yeah|yep|sure|ja|sí|si|oui|sim|sì|certo|claro|klar)[,.!\s]+/iu
/** A clause can be read without its question. */
const CLAUSE = new RegExp(
  `(?<![\\p{L}])(?:${alternatives`
  is|are|was|were|have|has|had|do|does|will|can|i|we|it|she|he|they|you|that|this|\p{L}+['’](?:s|re|m|ve|ll)|n't|please|thanks|
  ist|sind|hat|haben|wird|ich|wir|es|son|está|están|tiene|tenemos|tengo|hay|est|sont|j['’]\p{L}+|je|nous|on|c['’]est|
  è|sono|ho|abbiamo|ha|é|são|tem|tenho|bitte|danke|gracias|merci|grazie`})(?![\\p{L}])`,
  'iu',
)
const MAX_ANSWER = 90
const FIRST_PART = /^[^,;–—]+/u

/** The answer with what it answers; undefined if the sentence is no answer or needs no question. */
export function answerWith(asked: string, sentence: string): string | undefined {
  const answer = sentence.replace(YES, '').trim()
  if (answer.length > MAX_ANSWER || /[?¿]|:\s/u.test(answer)) return undefined
  const part = FIRST_PART.exec(answer)?.[0] ?? answer
  if (CLAUSE.test(part) || !(readValues(answer).length > 0 || /\p{Lu}\p{L}+ \p{Lu}|, .*\p{Lu}/u.test(answer)))
    return undefined
  return `${asked}: ${answer}`
}
