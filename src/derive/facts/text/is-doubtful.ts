// Whether the writer of a clause asserts it. Precision over recall: wishes, guesses, jokes, stories, reported
// speech and anything under a condition are not facts.

import { multilineRegExp } from '../../../domain/multiline-regexp.ts'

const HEDGES = multilineRegExp('i')`
    \b(?:maybe|perhaps|might|may (?:be|have|not)|i may|we may|could|would|wouldn't|should|probably|possibly|
    wish|imagine|suppose|supposed|supposedly|pretend\w*|let's say|guess|not sure|unsure|wondering?|
    hypothetical\w*|in theory|i'd|we'd|'d (?:be|have|like|love)|as if|what if|as though|dream\w*|kidding|
    joking|jk|yeah right|just because|assum\w+|rumou?r\w*|allegedly|apparently|role-?play\w*|debating|
    considering|deciding|torn between|thinking (?:of|about))\b|/s$`
const STORY = multilineRegExp('i')`
    \b(?:in (?:my|the|this|that|a|our) (?:dream|story|novel|game|movie|film|book|script|series|show|play|
    song|poem|simulation|scenario|campaign)|(?:my|the|main|this) (?:character|protagonist|persona|avatar|
    narrator|hero|heroine)\b|once upon a time|act as|pretend|for example|e\.g\.|for instance)`
const REPORTS = multilineRegExp('')`
    \b(?:(?:he|she|they|people|everyone|everybody|somebody|someone|nobody|who|doctors?|it|friends?|(?:my|
    our|his|her|their|the|a) [\w' ]{2,30}|[A-Z][a-z]+)(?:'s| has| have| had| always| keeps?| also)* (?:said|
    says|saying|say|told|tells|telling|claims?|claimed|thinks?|thought|believes?|believed|insists?|insisted|
    swears?|joked|assumes?|assumed|accused|reckons?|heard|figured)|i (?:heard|read|was told|am told|said|
    told|lied|dreamt|dreamed|joked|claimed|pretended)|i've (?:heard|read|been told))\b`

const PLAY = multilineRegExp('i')`
    \b(?:yeah,? right|just kidding|only kidding|kidding|joking|jk|for example|e\.g\.|for instance|pretend|
    imagine|suppose|hypothetically|role-?play|act as|let's say|once upon a time|in my (?:dream|novel|story|
    book|script|game))\b|/s$|\b(?:haha|lol|lmao)\W*$`

/** A joke, an example or a game makes the whole sentence doubtful. */
export function isPlay(sentence: string): boolean {
  return PLAY.test(sentence)
}

/** Whether to skip this clause. */
export function isDoubtful(clause: string): boolean {
  return HEDGES.test(clause) || STORY.test(clause) || REPORTS.test(clause)
}

/** A story, a game or an example: nothing in it is about the real world. */
export function isStory(clause: string): boolean {
  return STORY.test(clause)
}

/** The rest of the sentence is reported speech. */
export function isReport(clause: string): boolean {
  return REPORTS.test(clause)
}

const CONDITIONS: ReadonlySet<string> = new Set(['if', 'unless', 'whether', 'as if', 'in case'])

/** A condition applies to the rest of its sentence. */
export function isCondition(lead: string): boolean {
  return CONDITIONS.has(lead)
}
