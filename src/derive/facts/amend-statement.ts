// "It's pushed back a week, so the 24th." "No, Tuesday." A change that gives a value and does not say of what is about
// what the speaker said right before: the newest statement with a value of the same type. That statement is listed
// with the new value in place of the old, so that it still reads well on its own.

import type { ExtractedFact } from './extracted-fact.ts'
import type { FactIndex } from './fact-index.ts'
import { hasHeld, type MutableFact } from './mutable-fact.ts'
import { readValues, type TypedValue } from './statements/read-values.ts'
import { takeOutPast } from './statements/take-out-past.ts'

/** The speaker's message before, with one more in between and answers to both. */
const MAX_MESSAGES_BETWEEN = 4
const RECENT_MS = 30 * 24 * 60 * 60 * 1000

export interface Amendment {
  readonly amended: MutableFact
  /** What the speaker says now, in full. */
  readonly extracted: ExtractedFact
}

export function amend(known: FactIndex, extracted: ExtractedFact): Amendment | undefined {
  const said = takeOutPast(extracted.evidence).text
  const values = extracted.statement?.values ?? readValues(said)
  const since = new Date(extracted.saidAt.getTime() - RECENT_MS)
  for (const fact of known.saidSince(extracted.subject, since)) {
    const { statement } = fact
    if (statement === undefined || !isJustSaid(fact, extracted)) continue
    const types = new Set(statement.values.map(({ type }) => type))
    const value = values.find(({ type }) => types.has(type))
    if (value === undefined) continue
    const text = replaceValue(fact, value, said)
    if (text === undefined) return undefined
    const kept = statement.values.filter(({ type }) => type !== value.type)
    const details = { ...statement, values: [...kept, value], isChange: true }
    const { attribute, kind } = fact
    return {
      amended: fact,
      extracted: { ...extracted, action: 'state', attribute, kind, value: text, statement: details },
    }
  }
  return undefined
}

function isJustSaid(
  fact: MutableFact,
  { conversationId, position, saidAt, messageId }: ExtractedFact,
): boolean {
  const isHere = conversationId !== undefined && fact.conversationIds.has(conversationId)
  const between = (position ?? 0) - (fact.position ?? 0)
  const isRecent = between > 0 && between <= MAX_MESSAGES_BETWEEN
  const isOpen = fact.rejectedAt === undefined && fact.validUntil === undefined && hasHeld(fact)
  return isHere && isRecent && isOpen && fact.saidAt <= saidAt && !fact.sources.includes(messageId)
}

/** Undefined if the statement gives several values of the type and it is not clear which one is meant. */
function replaceValue(
  { value: text, statement }: MutableFact,
  { type, text: found }: TypedValue,
  said: string,
) {
  const lower = text.toLowerCase()
  const places = (statement?.values ?? [])
    .filter((value) => value.type === type)
    .map((value) => ({ start: lower.indexOf(value.text), length: value.text.length }))
    .toSorted((left, right) => left.start - right.start)
  const [first] = places
  const last = places.at(-1)
  if (first === undefined || last === undefined || first.start < 0) return undefined
  const end = last.start + last.length
  // "Tuesday 17 March" is one date.
  const between = places.reduce((rest, { length }) => rest - length, end - first.start)
  if (between > 2 * (places.length - 1)) return undefined
  const start = said.toLowerCase().indexOf(found)
  const value = start < 0 ? found : said.slice(start, start + found.length)
  return text.slice(0, first.start) + value + text.slice(end)
}
