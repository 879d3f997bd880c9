import { type Fact, isTrueAt } from '../../domain/fact.ts'

/** The facts that held at a moment, without what the user rejected. */
export function factsAsOf(facts: readonly Fact[], moment: Date): Fact[] {
  return facts.filter((fact) => fact.rejectedAt === undefined && isTrueAt(fact, moment))
}
