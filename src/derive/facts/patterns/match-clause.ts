// Tries all patterns in turn. A clause about a thing of the speaker ("my car is …") has its own readers.

import type { ParsedClause } from '../text/read-clause.ts'
import { ANIMAL_WORDS } from '../text/relations.ts'
import { HEALTH_PATTERNS } from './health.ts'
import { LIVING_PATTERNS, readOwnSituation } from './living.ts'
import { matchPatterns, type PatternMatch } from './pattern.ts'
import { PEOPLE_PATTERNS, readOwnName } from './people.ts'
import { readBirthday, readPlan } from './plans.ts'
import { readFavourite, TASTE_PATTERNS } from './tastes.ts'
import { readOwnThing, THING_PATTERNS } from './things.ts'

const PATTERNS = [
  ...PEOPLE_PATTERNS,
  ...LIVING_PATTERNS,
  ...HEALTH_PATTERNS,
  ...TASTE_PATTERNS,
  ...THING_PATTERNS,
]

/** What a clause states, as far as the patterns know. */
export function matchClause(
  parsed: ParsedClause,
  clause: string,
  now: Date,
): (PatternMatch & { until?: Date })[] {
  if (parsed.of === 'none') return []
  const plan = readPlan(parsed, clause, now)
  if (plan !== undefined) return [{ ...plan, action: 'state', kind: 'fact' }]
  if (parsed.of === 'own') return readOwn(parsed, now)
  return matchPatterns(parsed, PATTERNS).flatMap(readVersion)
}

function readOwn({ subject, predicate, isNegated, isEnded }: ParsedClause, now: Date): PatternMatch[] {
  const favourite = readFavourite(subject, predicate)
  const pair =
    favourite ??
    readOwnName(subject, predicate) ??
    readOwnSituation(subject, predicate) ??
    readOwnThing(subject, predicate)
  if (isNegated || isEnded) return []
  if (pair !== undefined) {
    const [attribute, value] = pair
    return [
      {
        attribute,
        value,
        action: 'state',
        kind: favourite === undefined ? 'fact' : 'preference',
        confidence: 0.9,
      },
    ]
  }
  const birthday = readBirthday(subject, predicate, now)
  if (birthday !== undefined)
    return [{ attribute: 'birthday', value: birthday, action: 'state', kind: 'fact', confidence: 0.9 }]
  return readLoss(subject, predicate)
}

const LOST = /^(?:has |have )?(?:just |recently |sadly )?(?:died|passed away|ran away)\b/i
const ANIMAL = new RegExp(`^(?:\\w+ )?(${ANIMAL_WORDS})$`)
function readLoss(subject: string, predicate: string): PatternMatch[] {
  const kind = ANIMAL.exec(subject)?.[1]
  return kind !== undefined && LOST.test(predicate)
    ? [{ attribute: 'pet', value: kind, action: 'end', kind: 'fact', confidence: 0.85 }]
    : []
}

// "Flask 2.3.1" is a tool in use, and a version that a newer one closes.
function readVersion(match: PatternMatch): PatternMatch[] {
  const versioned = match.attribute === 'uses' ? /^(.+?) v?(\d+(?:\.\w+)*)$/.exec(match.value ?? '') : null
  if (versioned?.[1] === undefined || versioned[2] === undefined) return [match]
  return [
    { ...match, value: versioned[1] },
    { ...match, attribute: `version of ${versioned[1]}`, value: versioned[2] },
  ]
}
