// Detects what kind of answer a question asks for. English, except for what the assistant said, which is also recognized
// in German, Spanish, French, Portuguese and Italian.

import { multilineRegExp } from '../../domain/multiline-regexp.ts'

/** What a question asks for beyond its subject. */
export interface QuestionCues {
  /** A time: "when", "how long". */
  readonly asksWhen: boolean
  /** A number: "how many", "how old". */
  readonly asksHowMany: boolean
  /** A name: "who", "where", "which city". */
  readonly asksName: boolean
  /** Advice, which depends on preferences. */
  readonly asksAdvice: boolean
  /** What the assistant said, not the user. */
  readonly asksAssistant: boolean
  /** A summary of a whole subject. */
  readonly asksSummary: boolean
  /** The order in which things came up. */
  readonly asksOrder: boolean
  /** The current or latest state. */
  readonly asksLatest: boolean
  /** The first or original state. */
  readonly asksFirst: boolean
}

const WHEN = multilineRegExp('i')`
  ^\W*(?:(?:and|so|but|or) )?(?:when|since when|what (?:date|day|month|year|time)|
  (?:on |in )?which (?:date|day|month|year))\b|
  \bhow (?:long|many (?:days|weeks|months|years))\b|\bwhen (?:did|was|is|are|were|do|does|will|am)\b`
const HOW_MANY =
  /\bhow (?:many|much|often|old|far|big|tall|high|large)\b|\bwhat (?:number|percentage|amount|share)\b/i
const NAME = multilineRegExp('i')`
  ^\W*(?:(?:and|so|but|or|in|at|to|from|for|on|by|with) )?(?:who(?:se)?\b|where\b|
  (?:what|which)(?: (?:is|are|was|were) the)?(?: \w+){0,2} (?:names?|titles?|books?|movies?|films?|series|shows?|games?|
  songs?|bands?|artists?|albums?|authors?|cit(?:y|ies)|countr(?:y|ies)|states?|places?|towns?|compan(?:y|ies)|brands?|
  stores?|restaurants?|schools?|universit(?:y|ies)|teams?|holidays?|languages?|breeds?|librar(?:y|ies)|frameworks?|
  tools?)\b)|\b(?:called|named)\b`
const ADVICE = multilineRegExp('i')`
  \b(?:should i|would you (?:suggest|recommend)|(?:can|could) you (?:suggest|recommend|help|show|explain|walk|tell)|
  how (?:do|can|should|would) i|what (?:are some|should i|do i need)|(?:suggest|recommend)(?:ion|ation)?s?|any (?:tips|ideas|advice))\b`
const ASSISTANT = multilineRegExp('iu')`
  \b(?:did|have|had|do) (?:you|the assistant) (?:\w+ )?(?:recommend|suggest|advise|say|tell|propose|mention|help|give|explain|
  work out|calculate|estimate|spot|describe|compare|warn)|
  \byour (?:advice|suggestion|recommendation|answer)|\byou (?:recommended|suggested|advised|said|told|proposed|explained)\b|
  \b(?:hast du|du) (?:[\p{L}\d-]+ ){0,6}(?:gesagt|empfohlen|vorgeschlagen|geraten|erklärt|erwähnt|berechnet)\b|
  \bdeine? (?:rat|empfehlung|vorschlag|antwort)\b|
  \b(?:me|nos) (?:dijiste|recomendaste|aconsejaste|propusiste|sugeriste|explicaste|advertiste)\b|
  \b(?:me|nos) has (?:dicho|recomendado|aconsejado|propuesto|sugerido|explicado)\b|
  \bvocê (?:me |nos )?(?:disse|recomendou|sugeriu|aconselhou|propôs|explicou|falou|calculou)\b|
  \b(?:mi|ci) hai (?:detto|consigliato|suggerito|proposto|spiegato|calcolato)\b|
  \b(?:m'as|nous as|as-tu|tu as|tu m'as) (?:dit|conseillé|recommandé|proposé|expliqué|suggéré)`
const SUMMARY = /\b(?:summar\w+|overview|recap)\b/i
const ORDER = multilineRegExp('i')`
  \border\b.*\b(?:brought|mention|discuss|talk|said|came)|\bin (?:what |which )?order\b|\bchronolog|\btimeline\b`
/** A whole subject. */
const THROUGHOUT =
  /\b(?:throughout|across (?:our|my|all)|over time|so far|progress(?:ed)?|developed|evolved)\b/i
const LATEST = multilineRegExp('iu')`
  (?<!\p{L})(?:latest|most recent|recently|lately|currently|these days|(?:right )?now|at the moment|last time|in the end|
  inzwischen|mittlerweile|jetzt|derzeit|aktuell|zuletzt|ahora|actualmente|al final|últimamente|maintenant|actuellement|désormais|
  finalement|agora|atualmente|ultimamente|no fim|adesso|ora|attualmente|ormai|alla fine)(?!\p{L})`
const FIRST = multilineRegExp('i')`
  \b(?:first (?:talk(?:ed)?|sp(?:eak|oke)|sa(?:y|id)|mention(?:ed)?|me(?:e)?t|time|message|conversation)|at first|
  originally|in the beginning|initially|previously|used to|before (?:that|then)|
  am anfang|ursprünglich|zuerst|vorher|früher|al principio|antes|en un principio|au début|avant|à l'origine|
  no começo|no início|originalmente|all'inizio|in origine|prima)\b`

export function readCues(question: string): QuestionCues {
  const asksOrder = ORDER.test(question)
  return {
    asksWhen: WHEN.test(question),
    asksHowMany: HOW_MANY.test(question),
    asksName: NAME.test(question),
    asksAdvice: ADVICE.test(question),
    asksAssistant: ASSISTANT.test(question),
    asksSummary: SUMMARY.test(question) && !asksOrder,
    asksOrder,
    asksLatest: LATEST.test(question),
    asksFirst: FIRST.test(question),
  }
}

/** Whether it asks for a whole subject, so that no single session may crowd out the others. */
export function asksForAll(question: string, cues: QuestionCues): boolean {
  return cues.asksSummary || cues.asksOrder || THROUGHOUT.test(question)
}
