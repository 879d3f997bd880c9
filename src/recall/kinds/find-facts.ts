import type { Fact } from '../../domain/fact.ts'
import type { MessageId } from '../../domain/ids.ts'
import type { Found } from '../found.ts'
import type { TextJudge } from './weigh-text.ts'

interface FactSearch {
  readonly sources: ReadonlySet<MessageId>
  readonly ideal: number
  readonly near?: ReadonlyMap<string, number>
}

/** Facts that the question's words are in, that one of the best messages says, or that are near in meaning. */
export function findFacts(
  facts: readonly Fact[],
  judge: TextJudge,
  { sources, ideal, near }: FactSearch,
): readonly Found[] {
  return facts.flatMap((fact) => {
    const isSaid = fact.sources.some((id) => sources.has(id))
    const nearness = near?.get(fact.id)
    if (!isSaid && fact.origin === 'said' && fact.pinnedAt === undefined && nearness === undefined) return []
    const text = factText(fact)
    const { score, similarity, why } = judge.judge(text, nearness)
    if (similarity === 0) return []
    return [
      {
        kind: 'fact' as const,
        id: fact.id,
        text,
        score: Math.min(1, score / ideal),
        similarity,
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
