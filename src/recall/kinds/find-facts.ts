import type { Fact } from '../../domain/fact.ts'
import type { MessageId } from '../../domain/ids.ts'
import type { Found } from '../found.ts'
import { indexFacts } from './fact-index.ts'
import type { TextJudge } from './weigh-text.ts'

export interface FactSearch {
  /** The best messages. */
  readonly sources: Iterable<MessageId>
  readonly isWanted: (fact: Fact) => boolean
  readonly ideal: number
}

/** Facts that the question's words are in, of those that stand or that one of the best messages says. */
export function findFacts(
  facts: readonly Fact[],
  judge: TextJudge,
  { sources, isWanted, ideal }: FactSearch,
): readonly Found[] {
  const { standing, bySource } = indexFacts(facts)
  const candidates = new Set(standing)
  for (const id of sources) for (const fact of bySource.get(id) ?? []) candidates.add(fact)
  return [...candidates].filter(isWanted).flatMap((fact) => {
    const text = factText(fact)
    const { score, coverage, why } = judge.judge(text)
    if (coverage === 0) return []
    return [
      {
        kind: 'fact' as const,
        id: fact.id,
        text,
        score: Math.min(1, score / ideal),
        similarity: Math.sqrt(coverage),
        why,
        messageIds: fact.sources,
        ...(fact.conversationIds[0] !== undefined && { conversationId: fact.conversationIds[0] }),
        createdAt: fact.saidAt,
        source: fact.subject,
      },
    ]
  })
}

/** As it goes to a reader: who, what, since when. */
export function factText({ kind, subject, attribute, value, validFrom, validUntil }: Fact): string {
  if (kind === 'instruction') return value
  const until = validUntil === undefined ? '' : `, until ${day(validUntil)}`
  return `${subject}: ${attribute} is ${value} (since ${day(validFrom)}${until})`
}

const day = (moment: Date): string => moment.toISOString().slice(0, 10)
