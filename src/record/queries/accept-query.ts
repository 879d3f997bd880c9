// Text is stored exactly or refused; results, which may be of any size, are stored up to the limit, with a note of
// how large they were.

import { definedFields } from '../../domain/defined-fields.ts'
import { newId, queryId } from '../../domain/ids.ts'
import type { Intent } from '../../domain/page.ts'
import type { ResolvedLimits } from '../../options/limit-options.ts'
import { check } from '../../schemas/check.ts'
import { type NewQuery, newQuery } from '../../schemas/page.ts'
import { checkNotFuture } from '../../schemas/values.ts'
import type { AcceptedQuery } from '../../store/page-store.ts'
import { limitResults } from './limit-results.ts'

interface QueryRules {
  readonly limits: ResolvedLimits
  readonly now: Date
}

/** The intent is missing where the application gave none. */
type CheckedQuery = Omit<AcceptedQuery, 'intent'> & { readonly intent?: Intent }

export function acceptQuery(query: NewQuery, { limits, now }: QueryRules): CheckedQuery {
  const { id, intent, createdAt, results = null, ...fields } = check(newQuery, query, { limits })
  const { query: text, sql = null, response = null, important = false } = fields
  const kept = results === null ? { results } : limitResults(results, limits.resultBytes)
  return {
    id: queryId(id ?? newId(now)),
    query: text,
    ...definedFields({ intent }),
    sql,
    response,
    ...kept,
    important,
    createdAt: createdAt === undefined ? now : checkNotFuture(createdAt, now, limits),
  }
}
