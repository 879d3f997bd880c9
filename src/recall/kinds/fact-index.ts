// Indexes facts for recall. A workspace has thousands and a question needs a few, so the index is built once per list
// and cached.

import type { Fact } from '../../domain/fact.ts'
import type { MessageId } from '../../domain/ids.ts'

export interface FactIndex {
  /** Standing instructions, oldest first. */
  readonly instructions: readonly Fact[]
  /** Set by the application, or pinned: always candidates. */
  readonly standing: readonly Fact[]
  /** By source message. */
  readonly bySource: ReadonlyMap<MessageId, readonly Fact[]>
}

const indexes = new WeakMap<readonly Fact[], FactIndex>()

export function indexFacts(facts: readonly Fact[]): FactIndex {
  const known = indexes.get(facts)
  if (known !== undefined) return known
  const made = {
    instructions: facts.filter(({ kind }) => kind === 'instruction'),
    standing: facts.filter(({ origin, pinnedAt }) => origin !== 'said' || pinnedAt !== undefined),
    bySource: groupBySource(facts),
  }
  indexes.set(facts, made)
  return made
}

function groupBySource(facts: readonly Fact[]): ReadonlyMap<MessageId, readonly Fact[]> {
  const groups = new Map<MessageId, Fact[]>()
  for (const fact of facts) {
    for (const id of fact.sources) {
      const group = groups.get(id)
      if (group === undefined) groups.set(id, [fact])
      else group.push(fact)
    }
  }
  return groups
}
