import type { StandingItem, StandingMemory } from '../context/memory/standing.ts'
import { rankLasting } from '../derive/facts/lasting-facts.ts'
import { readFacts } from '../derive/facts/read-facts.ts'
import { definedFields } from '../domain/defined-fields.ts'
import type { Fact } from '../domain/fact.ts'
import { asText } from '../domain/message.ts'
import { SCOPE_PREFERENCE, type Scope, toScope } from '../domain/scope.ts'
import type { WorkspaceDeps } from '../record/record.ts'
import { readPreferenceEdits } from './preferences.ts'

/** Per kind: several times what the memory section of a context holds. A user may have stated thousands. */
const MOST = 200

/** What is known about these people, regardless of the question; most important first within each kind. */
export async function readStanding(
  recorder: WorkspaceDeps,
  subjects: readonly string[],
): Promise<{ readonly memory: StandingMemory; readonly scope?: Scope }> {
  const { store, workspace, now } = recorder
  const [held, values] = await Promise.all([
    readFacts(store, workspace, { asOf: now() }),
    readPreferenceEdits(recorder),
  ])
  const settings = values.filter(({ key }) => key !== SCOPE_PREFERENCE)
  const scope = toScope(values.find(({ key }) => key === SCOPE_PREFERENCE)?.body['value'])
  const about = new Set(subjects.map((subject) => subject.toLowerCase()))
  const facts = held.filter(({ subject }) => about.has(subject.toLowerCase()))
  const loose = facts.filter(({ pinnedAt }) => pinnedAt === undefined)
  const ofKind = (kind: 'fact' | 'preference') => loose.filter((fact) => fact.kind === kind)
  const memory: StandingMemory = {
    wishes: [
      ...loose
        .filter(({ kind, attribute }) => kind === 'instruction' || attribute === 'instruction')
        .slice(-MOST)
        .map((fact) => toItem(fact, 'a standing instruction')),
      ...settings.map(
        ({ id, key, body }): StandingItem => ({
          kind: 'preference',
          id: String(id),
          text: `${key}: ${asText(body['value'] ?? null)}`,
          messageIds: [],
          reason: 'set by the application',
        }),
      ),
    ],
    pinned: held.filter(({ pinnedAt }) => pinnedAt !== undefined).map((fact) => toItem(fact, 'pinned')),
    facts: rankLasting(ofKind('fact'))
      .slice(0, MOST)
      .map((fact) => toItem(fact, 'a fact that lasts')),
    // The latest statements say most about current preferences.
    preferences: ofKind('preference')
      .slice(-MOST)
      .toReversed()
      .map((fact) => toItem(fact, 'a preference')),
  }
  return { memory, ...definedFields({ scope }) }
}

function toItem(fact: Fact, reason: string): StandingItem {
  const { kind, id, validFrom, sources } = fact
  return {
    kind: kind === 'statement' ? 'fact' : kind,
    id,
    text: describe(fact),
    since: validFrom,
    messageIds: sources,
    reason,
  }
}

/** An instruction is already a sentence; other facts name their subject unless it is the user. */
function describe({ kind, subject, attribute, value }: Fact): string {
  if (kind === 'instruction' || kind === 'statement')
    return subject === 'user' ? value : `${subject}: ${value}`
  return subject === 'user' ? `${attribute}: ${value}` : `${subject}, ${attribute}: ${value}`
}
