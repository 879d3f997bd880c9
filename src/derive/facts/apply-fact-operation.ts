import type { Fact } from './fact.ts'
import type { FactOperation } from './fact-operation.ts'

/** No amount of saying makes a thing certain. */
const MOST_CONFIDENCE = 0.99

/** The facts after one operation; what a store does with it. */
export function applyFactOperation(facts: readonly Fact[], operation: FactOperation): readonly Fact[] {
  if (operation.type === 'ignore') return facts
  if (operation.type === 'add') return [...facts, operation.fact]
  return facts.map((fact) => (fact.id === operation.id ? change(fact, operation) : fact))
}

function change(fact: Fact, operation: FactOperation & { type: 'close' | 'confirm' }): Fact {
  if (operation.type === 'close') return { ...fact, validUntil: operation.validUntil }
  const { messageId, confidence, saidAt } = operation.candidate
  return {
    ...fact,
    validFrom: operation.validFrom,
    sources: [...fact.sources, messageId],
    saidAt: new Date(Math.max(saidAt.getTime(), fact.saidAt.getTime())),
    confidence: Math.min(MOST_CONFIDENCE, 1 - (1 - fact.confidence) * (1 - confidence / 2)),
  }
}
