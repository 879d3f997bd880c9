// "No, Tuesday." "Actually it's 12." "I meant Porto, not Lisbon." Short sentences only: in a long one the same
// words begin a new thought. The fact to correct is found later, by the shape of its value.

import { writeSpan } from '../../../domain/dates/date-span.ts'
import { type Moment, readDates } from '../../../domain/dates/read-dates.ts'
import { multilineRegExp } from '../../../domain/multiline-regexp.ts'
import type { ValueShape } from '../extracted-fact.ts'

/** A corrected value. */
export interface Correction {
  readonly value: string
  readonly shape: ValueShape
  readonly insteadOf?: string
  /** For dates, the first day after it. */
  readonly until?: Date
}

/** More than ten. */
const HAS_TOO_MANY_WORDS = /(?:\s+\S+){10}/
const OPENING = multilineRegExp('i')`
    ^(?:(?:no|nope|sorry|wait|oops|actually|correction|scratch that|my mistake|
    my bad)[,.:;!—–-]*\s+)+(?:no,? )?(?:i meant?(?: to say)?|it's(?: actually)?|it is|that's|that should be|
    make (?:that|it)|it was|on|they're)?:?\s*|^i meant(?: to say)?:?\s+`
const NOT_BUT = multilineRegExp('i')`
    ^(?:it's |it is |that's |i meant |the \w+ is |it was )?(?:on |in )?(.{1,30}?),? not (?:on |
    in )?(.{1,30})$`

/** The correction that a sentence makes, if it is nothing else. */
export function readCorrection(sentence: string, moment: Moment): Correction | undefined {
  const text = sentence.replace(/[\s.!]+$/, '')
  if (text.endsWith('?') || HAS_TOO_MANY_WORDS.test(text)) return undefined
  const opening = OPENING.exec(text)
  const rest = opening === null ? text : text.slice(opening[0].length)
  const pair = NOT_BUT.exec(rest)
  if (opening === null && (pair === null || !/^(?:it's|it is|that's|i meant)\b/i.test(text))) return undefined
  const shaped = toShape((pair?.[1] ?? rest).replace(/^(?:on|in|at|it's) /i, ''), moment)
  const old = pair?.[2] === undefined ? undefined : toShape(pair[2], moment)
  // "Sorry, Brad" addresses Brad: for a name, a "no" is not enough.
  if (
    shaped === undefined ||
    (shaped.shape === 'name' &&
      pair === null &&
      !/\b(?:meant|it's|it is|that's|make (?:that|it)|correction)\b/i.test(text))
  )
    return undefined
  return old === undefined ? shaped : { ...shaped, insteadOf: old.value }
}

function toShape(text: string, moment: Moment): Correction | undefined {
  const [span, another] = readDates(text, moment)
  const isDate = span !== undefined && another === undefined && text.length - span.text.length <= 4
  if (isDate) return { value: writeSpan(span), shape: 'date', until: span.end }
  if (/^\d+(?:[.,]\d+)?$/.test(text)) return { value: text, shape: 'number' }
  const isName =
    /^\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+){0,2}$/u.test(text) &&
    !/^(?:I|Yes|No|Sorry|Thanks|Great|Ok|OK|The|That|This)\b/.test(text)
  return isName ? { value: text, shape: 'name' } : undefined
}
