// Decides whether a recalled message is worth remembering. A question that was asked before has the words of the question
// asked now, so it ranks high and answers nothing; neither does "let me think". Search and recall still find both.

import type { Recalled } from '../../domain/recall.ts'

/** Why a recalled message is no memory; undefined if it is one. */
export type NoMemory = 'an earlier question' | 'says nothing'

export function whyNoMemory(
  { kind, role, text, passage }: Pick<Recalled, 'kind' | 'role' | 'text' | 'passage'>,
  question: string,
): NoMemory | undefined {
  if (kind !== 'message') return undefined
  if (isFiller(text)) return 'says nothing'
  const isWhole = passage === undefined
  return role === 'user' && isWhole && asksOnly(text) && !isAboutQuestions(question)
    ? 'an earlier question'
    : undefined
}

const SENTENCE_END = /(?<=[.!?…？！。؟])["'”’)»]*\s+|\n+/u
const ENDS_AS_QUESTION = /[?？؟]["'”’)»]*$/u
const GREETING =
  /^(?:hi|hello|hey|ok(?:ay)?|thanks?|thank you|please|sorry|hallo|danke|bitte|hola|gracias|por favor|bonjour|merci|ol[aá]|obrigad[oa]|ciao|grazie)\b[\p{L}\s,]{0,24}[.!,…]?$/iu

/** All sentences are questions, apart from a greeting. */
function asksOnly(text: string): boolean {
  const sentences = text
    .trim()
    .split(SENTENCE_END)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
  return (
    sentences.some((sentence) => ENDS_AS_QUESTION.test(sentence)) &&
    sentences.every((sentence) => ENDS_AS_QUESTION.test(sentence) || GREETING.test(sentence))
  )
}

/** "What did I ask about the hotel?" */
const ABOUT_QUESTIONS =
  /\b(?:ask(?:ed|ing)?|questions?|gefragt|frage[n]?|pregunt\p{L}*|pergunt\p{L}*|demand[eé]\p{L}*|questions?|domand\p{L}*|chiest\p{L}*)\b/iu

const isAboutQuestions = (question: string): boolean => ABOUT_QUESTIONS.test(question)

/** Longer texts say something besides. */
const MAX_FILLER_WORDS = 8
const FILLER =
  /^\W*(?:(?:ok(?:ay)?|sure|well|alright|gut|bueno|bien|bom|bene|va bene)\W+)?(?:let me (?:think|see|check|look)|(?:just )?(?:one|a) (?:moment|second|sec|minute)|hold on|give me a (?:moment|second|minute)|hm+\b|thinking|lass mich (?:mal )?(?:nachdenken|überlegen|sehen|schauen)|(?:einen )?(?:kleinen )?(?:moment|augenblick)|d[eé]jame (?:pensar|ver)|un (?:momento|segundo|momentito)|laisse[- ]moi (?:réfléchir|voir)|un instant|deixa[- ]me (?:pensar|ver)|um (?:momento|segundo|instante)|fammi (?:pensare|vedere)|un attimo)/iu

const isFiller = (text: string): boolean =>
  FILLER.test(text) && text.trim().split(/\s+/u).length <= MAX_FILLER_WORDS
