import { type FactList, type RecollectClient, type UsedRemote, useRemote } from 'recollect/react'

export type Fact = Awaited<ReturnType<RecollectClient['facts']['list']>>['facts'][number]

const PAGE = 500
/** More than anybody looks through; the search finds the rest. */
const MOST = 5000

/** Everything that is or was known, so that looking back in time asks nobody. */
export function useFacts(): UsedRemote<readonly Fact[]> {
  return useRemote({ name: 'facts', read: readFacts, about: ['facts', 'knowledge'] })
}

async function readFacts(client: RecollectClient, signal: AbortSignal): Promise<readonly Fact[]> {
  const facts: Fact[] = []
  let list: FactList = { includeClosed: true, includeRejected: true, limit: PAGE, signal }
  while (true) {
    const page = await client.facts.list(list)
    facts.push(...page.facts)
    if (page.next === null || facts.length >= MOST) return facts
    list = { ...list, cursor: page.next }
  }
}

/** It held, or was held to be true, at that moment. */
export const holdsAt = ({ validFrom, validUntil }: Fact, moment: number): boolean =>
  Date.parse(validFrom) <= moment && (validUntil === undefined || moment < Date.parse(validUntil))

/** "user" is whoever the memory belongs to. */
export const subjectOf = ({ subject }: Fact): string => (subject === 'user' ? 'You' : subject)

/** Clocks of two messages that close and open a value are the same; a rounding of one of them is not a gap. */
const SAME_MOMENT_MS = 1000

/** What was known in the same place before it, oldest first: each value took the place of the one before. */
export function predecessorsOf(fact: Fact, facts: readonly Fact[]): readonly Fact[] {
  const { subject, attribute, validFrom } = fact
  const earlier = facts.find(
    (other) =>
      other.subject === subject &&
      other.attribute === attribute &&
      other.validUntil !== undefined &&
      other.validFrom < validFrom &&
      Math.abs(Date.parse(other.validUntil) - Date.parse(validFrom)) < SAME_MOMENT_MS,
  )
  return earlier === undefined ? [] : [...predecessorsOf(earlier, facts), earlier]
}
