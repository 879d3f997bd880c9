// All patterns, asked in turn. A statement about a thing of the speaker ("my car is …") has readers of its own.

import type { Statement } from '../text/read-clause.ts'
import { ANIMAL_WORDS } from '../text/relations.ts'
import { HEALTH_PATTERNS } from './health.ts'
import { LIVING_PATTERNS, readOwnSituation } from './living.ts'
import { type Finding, findByPatterns } from './pattern.ts'
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

/** What a statement says, as far as the patterns know. */
export function findStatements(
  statement: Statement,
  clause: string,
  now: Date,
): (Finding & { until?: Date })[] {
  if (statement.of === 'none') return []
  const plan = readPlan(statement, clause, now)
  if (plan !== undefined) return [{ ...plan, action: 'state', kind: 'fact' }]
  if (statement.of === 'own') return readOwn(statement, now)
  return findByPatterns(statement, PATTERNS).flatMap(readVersion)
}

function readOwn({ subject, predicate, isNegated, isEnded }: Statement, now: Date): Finding[] {
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
function readLoss(subject: string, predicate: string): Finding[] {
  const kind = ANIMAL.exec(subject)?.[1]
  return kind !== undefined && LOST.test(predicate)
    ? [{ attribute: 'pet', value: kind, action: 'end', kind: 'fact', confidence: 0.85 }]
    : []
}

// "Flask 2.3.1" is a tool in use, and a version of it that a newer one closes.
function readVersion(finding: Finding): Finding[] {
  const versioned =
    finding.attribute === 'uses' ? /^(.+?) v?(\d+(?:\.\w+)*)$/.exec(finding.value ?? '') : null
  if (versioned?.[1] === undefined || versioned[2] === undefined) return [finding]
  return [
    { ...finding, value: versioned[1] },
    { ...finding, attribute: `version of ${versioned[1]}`, value: versioned[2] },
  ]
}
