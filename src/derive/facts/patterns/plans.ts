// Plans and appointments with a date. The date is made absolute and becomes part of the value; the plan is valid
// until its last day is over.

import { type DateSpan, startOfDay, writeSpan } from '../../../domain/dates/date-span.ts'
import { readDates } from '../../../domain/dates/read-dates.ts'
import { alternatives, multilineRegExp } from '../../../domain/multiline-regexp.ts'
import type { ParsedClause } from '../text/read-clause.ts'

/** A future event. */
export interface Plan {
  readonly attribute: string
  readonly value: string
  readonly until: Date
  readonly confidence: number
}

const EVENTS = alternatives`
    flight|train|appointment|meeting|wedding|exam|interview|deadline|trip|party|graduation|concert|surgery|
    operation|presentation|conference|class|exhibition|show|game|match|tournament|race|marathon|recital|
    viewing|check-?up|call|session|workshop|dinner|lunch|brunch|holiday|vacation|visit|move|due date|
    court date|hearing|defen[cs]e|launch|release|demo|audition|performance|festival|reunion|camp|retreat|
    review|webinar|test|submission|webinar|event|date|anniversary|birthday party|first day|start date|tour|
    competition|hike|barbecue|bbq|ceremony|gala|fundraiser|consultation|screening|book club`
const GOING = multilineRegExp('i')`
    ^(?:am|are|is|will be) (?:going (?:to|on)|going|flying|travell?ing|heading|moving|visiting|meeting|
    leaving|getting married|having|starting|hosting|attending|taking|running|performing|presenting|seeing|
    staying|in|at|off to|driving|returning|coming|giving|throwing|organi[sz]ing|planning|launching|
    submitting|defending|finishing|graduating)\b`
const WILL = multilineRegExp('i')`
    ^(?:will|plan to|intend to|am going to|are going to|am planning to|are planning to|am set to|are set to|
    am scheduled to) (?:be (?:in|at)|visit|travel|start|move|fly|leave|attend|meet|take|host|run|go|return|
    have|present|submit|perform|launch|graduate|finish|begin|get married)\b`
const HAVE = multilineRegExp('i')`
  ^(?:have|have got|got|scheduled|booked|have scheduled|have booked|have planned|planned|am having|have set|
  set) (?:an?|my|our|the|another|some|\d+|tickets (?:for|to)) (?:[\w'/&-]+ ){0,5}?(?:${EVENTS})s?\b`
const OWN_EVENT = new RegExp(
  `^(?:[\\w'/&-]+ ){0,3}(?:${EVENTS})(?: (?:with|for|to|at|in) [\\w'. ]{2,30})?$`,
  'i',
)
const IS_ON = multilineRegExp('i')`
    ^(?:is|are|is now|has been|got|was(?= (?:moved|rescheduled|postponed|pushed) )) (?:(?:scheduled|set|
    planned|booked|due|coming up|moved|rescheduled|postponed|pushed)(?: back)? ?)?(?:(?:on|for|to|by|in|at|
    from|until) )?`
const MOST_WORDS = 14

/** The plan in a clause about the speaker or something of theirs. */
export function readPlan(parsed: ParsedClause, clause: string, now: Date): Plan | undefined {
  if (
    parsed.isNegated ||
    parsed.isEnded ||
    /^(?:is|are|was)? ?(?:finished|completed|done)/i.test(parsed.predicate)
  )
    return undefined
  if (parsed.of === 'own') return ownEvent(parsed, now)
  if (parsed.of !== 'self') return undefined
  const isPlan = GOING.test(parsed.predicate) || WILL.test(parsed.predicate) || HAVE.test(parsed.predicate)
  const span = isPlan ? futureSpan(parsed.predicate, now) : undefined
  if (isPlan && span === undefined) return planWithDateAhead(parsed.predicate, clause, now)
  if (span === undefined) return undefined
  const what = withoutDate(parsed.predicate, span)
  return what === undefined
    ? undefined
    : {
        attribute: 'plan',
        value: `${what}: ${deadline(parsed.predicate, span)}${writeSpan(span)}`,
        until: span.end,
        confidence: 0.75,
      }
}

/** "by 1 May" does not mean on 1 May. */
const deadline = (text: string, { index }: DateSpan): string =>
  /\bby $/i.test(text.slice(0, index)) ? 'by ' : ''

// "Next week I have a meeting": the date comes before the subject.
function planWithDateAhead(predicate: string, clause: string, now: Date): Plan | undefined {
  const ahead = clause.slice(0, Math.max(0, clause.length - predicate.length))
  const span = futureSpan(ahead, now)
  const what =
    span === undefined ? undefined : withoutDate(predicate, { ...span, index: predicate.length, text: '' })
  if (span === undefined || what === undefined) return undefined
  return { attribute: 'plan', value: `${what}: ${writeSpan(span)}`, until: span.end, confidence: 0.7 }
}

function ownEvent({ subject, predicate }: ParsedClause, now: Date): Plan | undefined {
  const cue = OWN_EVENT.test(subject) ? IS_ON.exec(predicate) : null
  const span = cue === null ? undefined : futureSpan(predicate, now)
  if (span === undefined || cue === null || span.index > cue[0].length + 16) return undefined
  return { attribute: `date of ${subject}`, value: writeSpan(span), until: span.end, confidence: 0.85 }
}

function futureSpan(text: string, now: Date): DateSpan | undefined {
  const spans = readDates(text, { now, lean: 'future' })
  const [first, second] = spans
  if (
    first === undefined ||
    first.end <= startOfDay(now) ||
    /\bfor .{0,20}(?:day|week|month|year)s?\b/i.test(first.text)
  )
    return undefined
  // "from 4 May until 9 May" is one span in two pieces.
  const isPair =
    second !== undefined &&
    /^ (?:to|until|till|through|-) $/.test(text.slice(first.index + first.text.length, second.index))
  return isPair
    ? { ...first, end: second.end, text: text.slice(first.index, second.index + second.text.length) }
    : first
}

function withoutDate(predicate: string, span: DateSpan): string | undefined {
  const before = predicate
    .slice(0, span.index)
    .replace(/[\s,]*\b(?:on|in|from|for|by|at|until|around|sometime|later|the|of|between)?\s*$/i, '')
  const after = predicate.slice(span.index + span.text.length)
  // "an April 1 deadline": the event comes after the date.
  const behind = / (?:an?|my|our|the)$/.test(before)
    ? /^ ([\w-]+(?: (?:deadline|meeting|session|appointment|flight|exam))?)/.exec(after)?.[1]
    : undefined
  if (behind !== undefined)
    return `${before.replace(/^(?:am|are|is|will be|will|have got|have|got)\b ?(?:got )?/i, '').replace(/\ban?$/, '')} ${behind}`.trim()
  const rest = /^,? (?:at|with|to|in|for) /.test(after)
    ? after
        .replace(/^,/, '')
        .replace(/[,;.].*$| (?:and|but|so|because|which|how|can|to (?!\p{Lu})) .*$/su, '')
    : ''
  const what = `${before}${rest}`
    .replace(/\s+(?:coming up|later)$/i, '')
    .replace(/^(?:am|are|is|will be|will|have got|have|got|plan to|intend to) (?:got )?/i, '')
    .replace(
      /^(?:going to|planning to|set to|scheduled to) (?!(?:an?|the|my|our|some)\b)(?=[a-z]+ (?!and\b))/i,
      '',
    )
    .trim()
  const isClear =
    (/ /.test(what) || /^(?:graduating|retiring)$/.test(what)) &&
    what.split(/\s+/).length <= MOST_WORDS &&
    !/\b(?:you|your|this|that|it|them|him|her|these|those|one)\b|^starting to |^(?:in )?(?:need|want|ask|look|check)\b|^(?:am|are|is|will|be|have)$/i.test(
      what,
    )
  return isClear ? what.replace(/[.,;:]+$/, '') : undefined
}

/** A birthday, without its year: "my birthday is on 3 June". */
export function readBirthday(thing: string, predicate: string, now: Date): string | undefined {
  if (thing !== 'birthday' && thing !== 'date of birth') return undefined
  const span = readDates(predicate, { now, lean: 'future' })[0]
  if (span === undefined || span.index > 12) return undefined
  const day = writeSpan(span)
  if (
    !/^\d{4}-\d{2}-\d{2}$/.test(day) ||
    (/\b(?:in|next|this|coming) /i.test(predicate.slice(0, span.index + 5)) && !/\d/.test(span.text))
  )
    return undefined
  return /\d{4}/.test(span.text) ? day : day.slice(5)
}
