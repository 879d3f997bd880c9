import { type FactList, type RecollectClient, type UsedRemote, useRemote } from 'recollect/react'

export type Fact = Awaited<ReturnType<RecollectClient['facts']['list']>>['facts'][number]

const PAGE = 500
/** More than anyone browses; search finds the rest. */
const MOST = 5000

/** All facts, past and present, so that moving the time slider needs no request. */
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

export const isValidAt = ({ validFrom, validUntil }: Fact, moment: number): boolean =>
  Date.parse(validFrom) <= moment && (validUntil === undefined || moment < Date.parse(validUntil))

/** Facts about the owner of the memory have the subject "user". */
export const subjectOf = ({ subject }: Fact): string => (subject === 'user' ? 'You' : subject)

/** A value ends when its successor starts; rounding may differ by less than this. */
const SAME_MOMENT_MS = 1000

/** The chain of earlier values that this one replaced, oldest first. */
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
