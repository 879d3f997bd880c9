// Parses a clause into subject and predicate. "I'm currently not living in Porto any more" becomes subject I,
// predicate "am living in Porto", negated and ended, so patterns only need to know verbs.

import { multilineRegExp } from '../../../domain/multiline-regexp.ts'
import { isUniqueRelation, PERSON_WORDS, relationAttribute } from './relations.ts'

/** Who a clause is about, and what it says about them. */
export interface ParsedClause {
  /** `self` is the speaker, `own` a thing of theirs ("my flight"), `other` a person they mention. */
  readonly of: 'self' | 'own' | 'other' | 'none'
  /** `own`: the thing. `other`: the name, or the relation. */
  readonly subject: string
  /** Whether the subject was "we". */
  readonly isShared: boolean
  readonly predicate: string
  readonly isNegated: boolean
  /** "no longer", "any more". */
  readonly isEnded: boolean
}

const OPENING = multilineRegExp('i')`
    ^(?:(?:hey|hi|hello|well|so|yeah|yes|yep|yup|no|nope|nah|oh|wow|ok|okay|sure|thanks|thank you|also|
    actually|anyway|btw|by the way|honestly|fyi|and|but|because|plus|now|currently|lately|recently|nowadays|
    today|personally|to be honest|tbh|then|these days|just so you know|for context|for reference|note that|
    remember that|you know|i mean|good news|update|quick update|ah|aw|aww|haha|cool|great|right now|
    at the moment|as for me|like i said|as you know|at first|that's why|which is why|for now|in general|
    overall|(?:on )?(?:last|next|this) (?:week|weekend|month|year|summer|winter|spring|autumn|fall|morning|
    \w+day)|yesterday|tomorrow|oh and|sorry|unfortunately|sadly|luckily)\b[\s,.!:-]*)+`
const VOCATIVE = /^\p{Lu}\p{Ll}+[,!]\s+(?=(?:I|i|my|we|our)\b)/u
const ADVERBS = multilineRegExp('i')`
    ^(?:(?:just|currently|now|also|really|actually|still|finally|recently|already|always|usually|absolutely|
    totally|definitely|personally|kinda|kind of|so|both|truly|generally|originally|mostly|honestly|simply|
    especially|particularly|mainly|proudly|happily|officially|presently|literally|basically|often|sometimes|
    very|all|super|obviously|only|pretty|quite|mainly|primarily|typically|normally|temporarily)\s+)+`
const NEGATION = multilineRegExp('i')`
    ^(?:(am|is|are|was|were|do|does|did|have|has|will|can)(?:n't| not)|don't|doesn't|didn't|can't|cannot|
    never|won't|ain't)\s+`
const AUXILIARY = /^(am|is|are|was|were|have been|has been|have|has|will be|will|do|does)\s+/i
const ENDED = /\s+(?:any ?more|any longer)\b.*$/i
const NO_LONGER = /\bno longer\s+/i
const CONTRACTIONS: Readonly<Record<string, string>> = {
  "'m": 'am ',
  "'ve": 'have ',
  "'ll": 'will ',
  "'re": 'are ',
  "'s": 'is ',
}
const PRONOUN = /^(i|we)('m|'ve|'ll|'re|m)?\s+(?=\S)/i
const PERSON = multilineRegExp('u')`
  ^(?:[Mm]y|[Oo]ur) (?:(?:older|younger|little|big|elder|twin|eldest|youngest|oldest|new|old|late|
  dear) )?(${PERSON_WORDS})(?:,? (\p{Lu}\p{L}+)\b,?)?('s|'ve)?(?:\s+|$)`
const LAST_PERSON = new RegExp(`\\b(?:[Mm]y|[Oo]ur) (?:\\w+ )?(?:${PERSON_WORDS}),? (\\p{Lu}\\p{L}+)$`, 'u')
const OWN = multilineRegExp('i')`
    ^(?:my|our) ((?:[\w'&.-]+ ){0,4}?[\w'&-]+?)('s|'re)?\s+(?=(?:is|are|was|were|has|have|died|passed|name|
    starts|begins|takes|got|will|named|called)\b|(?<='s )|(?<='re ))`

/** The previous clause: its text, and the result of parsing it. */
export interface PreviousClause {
  readonly text: string
  readonly parsed: ParsedClause
}

/** Parses a clause. If it has no subject, it takes the one of the previous clause. */
export function readClause(text: string, lead: string, before?: PreviousClause): ParsedClause {
  if (lead.startsWith('who')) return readRelative(text, lead, before)
  const clause = text.replace(OPENING, '').replace(VOCATIVE, '').replace(OPENING, '')
  return readPronoun(clause) ?? readPerson(clause) ?? readOwn(clause) ?? borrow(clause, lead, before?.parsed)
}

function readPronoun(clause: string): ParsedClause | undefined {
  const found = PRONOUN.exec(clause)
  if (found === null) return undefined
  const verb = CONTRACTIONS[found[2]?.toLowerCase() ?? ''] ?? (found[2] === 'm' ? 'am ' : '')
  return toParsedClause(
    { of: 'self', subject: '', isShared: /^we/i.test(clause) },
    verb + clause.slice(found[0].length),
  )
}

function readPerson(clause: string): ParsedClause | undefined {
  const found = PERSON.exec(clause)
  const relation = relationAttribute(found?.[1] ?? '')
  // In "my wife's name is …" the 's is not a verb.
  if (found === null || (found[3] === "'s" && /^\w+ (?:is|was|are)\b/.test(clause.slice(found[0].length))))
    return undefined
  const name = found[2]
  if (name === undefined && !isUniqueRelation(relation)) return undefined
  const verb = CONTRACTIONS[found[3]?.toLowerCase() ?? ''] ?? ''
  return toParsedClause(
    { of: 'other', subject: name ?? `'s ${relation}`, isShared: false },
    verb + clause.slice(found[0].length),
  )
}

function readOwn(clause: string): ParsedClause | undefined {
  const found = OWN.exec(clause)
  if (found?.[1] === undefined) return undefined
  const verb = CONTRACTIONS[found[2]?.toLowerCase() ?? ''] ?? ''
  const rest = clause.slice(found[0].length)
  // "my dog's name is Rex": the 's is not a verb.
  if (/^name\b/.test(rest))
    return toParsedClause({ of: 'own', subject: `${found[1]} name`, isShared: false }, rest.slice(5))
  return toParsedClause({ of: 'own', subject: found[1].toLowerCase(), isShared: false }, verb + rest)
}

// "I met my friend Kyle, who's 25": only if the previous clause ends with the person.
function readRelative(text: string, lead: string, before?: PreviousClause): ParsedClause {
  const name = LAST_PERSON.exec(before?.text ?? '')?.[1]
  if (name === undefined) return aboutNobody(text)
  return toParsedClause(
    { of: 'other', subject: name, isShared: false },
    lead === "who's" ? `is ${text}` : text,
  )
}

function borrow(clause: string, lead: string, before?: ParsedClause): ParsedClause {
  const canBorrow =
    before !== undefined &&
    before.of !== 'none' &&
    before.of !== 'own' &&
    (lead === 'and' || lead === 'but' || lead === '')
  if (!canBorrow) return aboutNobody(clause)
  const isVerb = /^[a-z]/.test(clause) && !/\b(?:to|will|can|let's|please|not) /i.test(before.predicate)
  if (!isVerb) return aboutNobody(clause)
  const verb = /^(?:living|working|studying|based|using|learning)\b/i.test(clause) ? 'am ' : ''
  return toParsedClause({ of: before.of, subject: before.subject, isShared: before.isShared }, verb + clause)
}

/** No facts are extracted from it, so it is not parsed further. */
function aboutNobody(predicate: string): ParsedClause {
  return { of: 'none', subject: '', isShared: false, predicate, isNegated: false, isEnded: false }
}

type About = Pick<ParsedClause, 'of' | 'subject' | 'isShared'>

function toParsedClause(about: About, words: string): ParsedClause {
  const isEnded = ENDED.test(words) || NO_LONGER.test(words)
  const plain = words.replace(ENDED, '').replace(NO_LONGER, '').replace(ADVERBS, '')
  const denial = NEGATION.exec(plain)
  const kept = denial?.[1] !== undefined && !/^do/i.test(denial[1]) ? `${denial[1]} ` : ''
  const affirmed = denial === null ? plain : kept + plain.slice(denial[0].length).replace(ADVERBS, '')
  return { ...about, predicate: dropInnerAdverbs(affirmed), isNegated: denial !== null, isEnded }
}

function dropInnerAdverbs(predicate: string): string {
  const auxiliary = AUXILIARY.exec(predicate)
  if (auxiliary === null) return predicate
  return auxiliary[0] + predicate.slice(auxiliary[0].length).replace(ADVERBS, '')
}
