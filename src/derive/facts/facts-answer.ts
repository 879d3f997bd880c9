// Reads and checks facts that a model extracted. Each fact must refer to a turn of a person in the request, and
// that turn must contain it: most words of its value, every date in it, and its subject. Facts that are invented,
// come from another turn, or were injected by text that addresses the model are dropped; the rest is kept.

import { addDays, type DateSpan, writeSpan } from '../../domain/dates/date-span.ts'
import { readDates } from '../../domain/dates/read-dates.ts'
import { definedFields } from '../../domain/defined-fields.ts'
import { FACT_KINDS, type FactKind } from '../../domain/fact.ts'
import { contentWords } from '../summaries/content-words.ts'
import { unescapeData } from '../summaries/summary-prompt.ts'
import type { ExtractedFact } from './extracted-fact.ts'
import { type FactsPromptRequest, type NumberedTurn, numberTurns } from './facts-prompt.ts'
import { splitSentences } from './text/split-clauses.ts'

/** A model that is sure of itself can still be wrong. */
const MOST_CONFIDENCE = 0.9
/** More than people say in the turns of one request. */
const MOST_FACTS = 50
const MOST_CHARACTERS = { subject: 80, attribute: 60, value: 200 } as const
/** The share of a value's words that the turn must contain: models add small words, not subjects. */
const SUPPORT = 0.5

const CONTROL = /\p{Cc}/u
const ATTRIBUTE = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} '’.+#/-]*$/u
const DATE = /\b\d{4}-\d{2}(?:-\d{2})?\b/g
const WHOLE_DATE = /^\d{4}-\d{2}-\d{2}$/

/** The facts in an answer that pass all checks, in its order. `answer` is JSON, parsed or as the model wrote it. */
export function readFactsAnswer(answer: unknown, request: FactsPromptRequest): ExtractedFact[] {
  const turns = numberTurns(request)
  const isAmongPeople = request.options?.isAmongPeople === true
  const facts = listFacts(answer)
    .slice(0, MOST_FACTS)
    .map((fact) => readFact(fact, turns))
    .filter((fact) => fact !== undefined)
    // In a chat among people, nobody instructs the assistant.
    .filter(({ kind }) => !(isAmongPeople && kind === 'instruction'))
  const keys = facts.map(({ action, subject, attribute, value, messageId }) =>
    JSON.stringify([action, subject, attribute, value, messageId]),
  )
  return facts.filter((_, place) => keys.indexOf(keys[place] as string) === place)
}

function listFacts(answer: unknown): readonly unknown[] {
  const { facts } = Object(typeof answer === 'string' ? parse(answer) : answer) as { facts?: unknown }
  return Array.isArray(facts) ? facts : []
}

/** Models often wrap JSON in text and fences, so only the part between the outermost braces is parsed. */
function parse(answer: string): unknown {
  try {
    return JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1))
  } catch {
    return undefined
  }
}

type Fields = Readonly<Record<string, unknown>>

function readFact(fact: unknown, turns: readonly NumberedTurn[]): ExtractedFact | undefined {
  const fields = Object(fact) as Fields
  const place = turns.findIndex(({ number, isPerson }) => isPerson && number === fields['turn'])
  const said = turns[place]
  const words = readWords(fields)
  const confidence = fields['confidence']
  if (said === undefined || words === undefined || !isShare(confidence)) return undefined
  const subject = findSubject(words.subject, said, turns.slice(0, place + 1))
  const period = readPeriod(fields, said)
  if (subject === undefined || period === undefined || !isSupported(words, said)) return undefined
  const { action, attribute, value, kind } = words
  // As with the patterns, a plan is valid from when it is mentioned, not from when it happens.
  const isPlan = attribute === 'plan' || attribute.startsWith('date of ')
  return {
    action,
    subject,
    attribute,
    ...(value !== undefined && { value }),
    kind,
    ...period,
    ...(isPlan && { validFrom: said.turn.createdAt }),
    confidence: Math.min(confidence, MOST_CONFIDENCE),
    messageId: said.turn.id,
    ...definedFields({ copyOf: said.turn.copyOf }),
    saidAt: said.turn.createdAt,
    evidence: findEvidence(value ?? attribute, said),
  }
}

const isShare = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 1

interface Words {
  readonly action: 'state' | 'end'
  readonly subject: string
  readonly attribute: string
  readonly value?: string
  readonly kind: FactKind
}

function readWords(fields: Fields): Words | undefined {
  const { action, kind } = fields as { readonly action: unknown; readonly kind: unknown }
  const subject = readText(fields['subject'], MOST_CHARACTERS.subject)
  const attribute = readText(fields['attribute'], MOST_CHARACTERS.attribute)?.toLowerCase()
  const value = readText(fields['value'], MOST_CHARACTERS.value)
  if (action !== 'state' && action !== 'end') return undefined
  if (subject === undefined || attribute === undefined || !ATTRIBUTE.test(attribute)) return undefined
  if (!isKind(kind) || (value === undefined && !mayMissValue(action, fields['value']))) return undefined
  return { action, subject, attribute, kind, ...(value !== undefined && { value }) }
}

const isKind = (kind: unknown): kind is FactKind => (FACT_KINDS as readonly unknown[]).includes(kind)

/** "I sold the car" ends every value. */
const mayMissValue = (action: string, value: unknown): boolean =>
  action === 'end' && (value === undefined || value === null || value === '')

function readText(text: unknown, most: number): string | undefined {
  if (typeof text !== 'string' || !text.isWellFormed()) return undefined
  const plain = unescapeData(text).trim()
  return plain === '' || plain.length > most || CONTROL.test(plain) ? undefined : plain
}

/** The subject: the speaker, or somebody people mentioned up to that turn. */
function findSubject(
  subject: string,
  { speaker, turn }: NumberedTurn,
  turns: readonly NumberedTurn[],
): string | undefined {
  const own = turn.name ?? 'user'
  if ([speaker, own, 'user', 'i', 'me'].some((name) => name.toLowerCase() === subject.toLowerCase()))
    return own
  const spoken = new Set(turns.filter(({ isPerson }) => isPerson).flatMap(({ text }) => contentWords(text)))
  const names = contentWords(subject.replaceAll(own, ''))
  return names.length > 0 && names.every((word) => spoken.has(word)) ? subject : undefined
}

function isSupported({ attribute, value }: Words, { turn, text }: NumberedTurn): boolean {
  const claimed = value ?? attribute
  const dates = claimed.match(DATE) ?? []
  if (!dates.every((date) => isDateOf(date, text, turn.createdAt))) return false
  const spoken = new Set(contentWords(text))
  const words = contentWords(claimed.replaceAll(DATE, ' '))
  if (words.length === 0) return dates.length > 0
  return words.filter((word) => spoken.has(word)).length / words.length >= SUPPORT
}

/** Whether a text names the date, in any form. */
function isDateOf(date: string, text: string, now: Date): boolean {
  const spans = (['past', 'future'] as const).flatMap((lean) => readDates(text, { now, lean }))
  const isNamed = (span: DateSpan) =>
    writeSpan(span).includes(date) || span.start.toISOString().startsWith(date)
  return text.includes(date) || spans.some(isNamed)
}

type Period = Pick<ExtractedFact, 'validFrom' | 'validUntil'>

/** Ignores dates that the turn does not name; undefined if a date is invalid. */
function readPeriod(fields: Fields, { turn, text }: NumberedTurn): Period | undefined {
  const [from, until] = [fields['validFrom'], fields['validUntil']].map((date) => date ?? undefined)
  if (![from, until].every((date) => date === undefined || isDate(date))) return undefined
  const named = (date: unknown): Date | undefined =>
    typeof date === 'string' && isDateOf(date, text, turn.createdAt) ? new Date(date) : undefined
  const validFrom = named(from) ?? turn.createdAt
  const lastDay = named(until)
  if (lastDay === undefined) return { validFrom }
  const validUntil = addDays(lastDay, 1)
  return validUntil > validFrom ? { validFrom, validUntil } : undefined
}

function isDate(date: unknown): boolean {
  if (typeof date !== 'string' || !WHOLE_DATE.test(date)) return false
  const moment = new Date(date)
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(date)
}

/** The sentence that contains most of the words. */
function findEvidence(claimed: string, { text }: NumberedTurn): string {
  const words = new Set(contentWords(claimed))
  const count = (sentence: string): number => contentWords(sentence).filter((word) => words.has(word)).length
  const [best] = splitSentences(text).toSorted((left, right) => count(right) - count(left))
  return (best ?? text).trim()
}
