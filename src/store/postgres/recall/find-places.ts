// Which messages have a word. The index hands out places in order, the highest first, and stops at the limit: a
// word in every second message costs no more than a rare one.

import type { Place } from '../../../domain/place.ts'
import type { FoundPlaces, RecallScope, WordLookup } from '../../recall-store.ts'
import { askedGroups } from '../../word-groups.ts'
import type { Session } from '../connection.ts'
import { takeEntries } from '../find-entries.ts'
import { findMessages } from '../message-words.ts'
import { toTerm } from '../word-terms.ts'
import { toSpan } from './find-in-time.ts'
import { findPlacesThen } from './find-places-then.ts'
import { countDownTo, filterScope, wordScopeOf } from './scope.ts'

export async function findPlaces(session: Session, lookup: WordLookup): Promise<FoundPlaces> {
  const asked = askedGroups(lookup.allOf)
  if (asked === undefined) return { places: [], count: 0 }
  const groups = asked.map((group) => group.map(toTerm))
  const { limit } = lookup
  if (lookup.from !== undefined || lookup.to !== undefined)
    return findPlacesThen(session, lookup, { groups, limit, span: toSpan(lookup) })
  // One more, to know whether there are.
  const wanted = limit + 1
  const entries = findMessages(session, { ...wordScopeOf(lookup), groups, wanted })
  const places = await takeEntries(entries, wanted, filterScope(session, lookup))
  return cutOff(session, lookup, { places: places as readonly Place[], limit })
}

/** As many as asked for, and how many there are: counted, or estimated from how far down the scope they reach. */
async function cutOff(
  session: Session,
  scope: RecallScope,
  { places, limit }: { readonly places: readonly Place[]; readonly limit: number },
): Promise<FoundPlaces> {
  const lowest = places[limit]
  if (lowest === undefined) return { places, count: places.length }
  const { total, above } = await countDownTo(session, scope, lowest)
  const estimate = Math.round((places.length * total) / above)
  return { places: places.slice(0, limit), count: Math.max(places.length, Math.min(estimate, total)) }
}
