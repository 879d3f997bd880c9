import type { Fact } from '../../domain/fact.ts'
import type { MessageId } from '../../domain/ids.ts'
import type { ScoredItem } from '../scored-item.ts'
import { indexFacts } from './fact-index.ts'
import type { TextJudge } from './weigh-text.ts'

interface FactSearch {
  /** The best messages. */
  readonly sources: Iterable<MessageId>
  readonly isWanted: (fact: Fact) => boolean
  readonly ideal: number
  /** Similarity in meaning by fact id; only with a vector store. */
  readonly near?: ReadonlyMap<string, number>
}

/** Facts that match the question by words or meaning, among standing facts and those stated by the best messages. */
export function findFacts(
  facts: readonly Fact[],
  judge: TextJudge,
  { sources, isWanted, ideal, near }: FactSearch,
): readonly ScoredItem[] {
  const { standing, bySource } = indexFacts(facts)
  const candidates = new Set(standing)
  for (const id of sources) for (const fact of bySource.get(id) ?? []) candidates.add(fact)
  if (near !== undefined) for (const fact of facts) if (near.has(fact.id)) candidates.add(fact)
  return [...candidates].filter(isWanted).flatMap((fact) => {
    const nearness = near?.get(fact.id)
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

/** The text shown to a reader: who, what, since when. */
export function factText({ kind, subject, attribute, value, validFrom, validUntil }: Fact): string {
  if (kind === 'instruction') return value
  if (kind === 'statement')
    return `${subject === 'user' ? '' : `${subject}: `}${value} (said ${day(validFrom)})`
  const until = validUntil === undefined ? '' : `, until ${day(validUntil)}`
  return `${subject}: ${attribute} is ${value} (since ${day(validFrom)}${until})`
}

const day = (moment: Date): string => moment.toISOString().slice(0, 10)
