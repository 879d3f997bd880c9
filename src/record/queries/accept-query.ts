// The door for queries. Words are kept exactly or refused; results, which may be of any size, are kept as far
// as the limit allows, with a note of what they had.

import { definedFields } from '../../domain/defined-fields.ts'
import { MemoryError } from '../../domain/errors.ts'
import { newId, queryId } from '../../domain/ids.ts'
import type { JsonValue } from '../../domain/json.ts'
import { INTENTS, type Intent, type NewQuery, type Query } from '../../domain/page.ts'
import type { ResolvedLimits } from '../../options/limit-options.ts'
import type { AcceptedQuery } from '../../store/page-store.ts'
import { acceptName } from '../accept-id.ts'
import { acceptJson, acceptText, isPlainObject } from '../accept-json.ts'
import { acceptTime } from '../accept-message.ts'
import { limitResults } from './limit-results.ts'

interface QueryRules {
  readonly limits: ResolvedLimits
  readonly now: Date
}

/** The intent is missing where the application gave none. */
type CheckedQuery = Omit<AcceptedQuery, 'intent'> & { readonly intent?: Intent }

const FIELDS = ['id', 'query', 'intent', 'sql', 'results', 'response', 'important', 'createdAt'] as const

export function acceptQuery(query: NewQuery, rules: QueryRules): CheckedQuery {
  acceptShape(query)
  const { limits, now } = rules
  const { queryCharacters, responseCharacters, idCharacters } = limits
  return {
    id: queryId(
      query.id === undefined ? newId(now) : acceptName(query.id, { what: 'a query id', most: idCharacters }),
    ),
    query: acceptWords(query.query, { what: 'a query', option: 'queryCharacters', most: queryCharacters }),
    ...(query.intent !== undefined && { intent: acceptIntent(query.intent) }),
    sql: acceptOptional(query.sql, { what: 'sql', option: 'queryCharacters', most: queryCharacters }),
    response: acceptOptional(query.response, {
      what: 'response',
      option: 'responseCharacters',
      most: responseCharacters,
    }),
    ...acceptResults(query.results, limits),
    important: acceptFlag(query.important ?? false),
    createdAt: acceptTime(query.createdAt, rules),
  }
}

function acceptShape(query: unknown): void {
  if (!isPlainObject(query)) throw new MemoryError('invalid-input', 'a query must be an object')
  const unknown = Object.keys(query).find((field) => !(FIELDS as readonly string[]).includes(field))
  if (unknown === undefined) return
  throw new MemoryError('invalid-input', `a query has no field "${unknown}"`, {
    hint: `its fields are ${FIELDS.join(', ')}`,
  })
}

interface WordRules {
  readonly what: string
  readonly option: keyof ResolvedLimits
  readonly most: number
}

function acceptOptional(text: unknown, rules: WordRules): string | null {
  return text === undefined || text === null ? null : acceptWords(text, rules)
}

function acceptWords(text: unknown, { what, option, most }: WordRules): string {
  if (typeof text !== 'string' || text.trim() === '') {
    throw new MemoryError('invalid-input', `${what} must be a text that is not empty`)
  }
  acceptText(text, what)
  if (text.length <= most) return text
  throw new MemoryError('too-large', `${what} has ${text.length} characters; the most is ${most}`, {
    hint: `shorten it, or raise the option limits.${option}`,
  })
}

function acceptIntent(intent: unknown): Intent {
  if ((INTENTS as readonly unknown[]).includes(intent)) return intent as Intent
  throw new MemoryError('invalid-input', `a query cannot have the intent ${JSON.stringify(intent)}`, {
    hint: `${INTENTS.join(', ')}, or leave it out to have it worked out`,
  })
}

export function acceptFlag(important: unknown): boolean {
  if (typeof important === 'boolean') return important
  throw new MemoryError('invalid-input', 'important must be true or false')
}

function acceptResults(
  results: unknown,
  limits: ResolvedLimits,
): Pick<Query, 'results' | 'resultsTruncated'> {
  if (results === undefined || results === null) return { results: null }
  acceptJson(results, { what: 'results', depth: limits.depth })
  // A copy of our own, as it will be read back: without undefined fields, and out of the caller's hands.
  const copy = JSON.parse(JSON.stringify(results)) as JsonValue
  const kept = limitResults(copy, limits.resultBytes)
  return { results: kept.results, ...definedFields({ resultsTruncated: kept.resultsTruncated }) }
}
