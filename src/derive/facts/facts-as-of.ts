import { type Fact, isTrueAt } from '../../domain/fact.ts'

/** The facts that were valid at a moment, without rejected ones. */
export function factsAsOf(facts: readonly Fact[], moment: Date): Fact[] {
  return facts.filter((fact) => fact.rejectedAt === undefined && isTrueAt(fact, moment))
}
