import type { Fact } from '../../domain/fact.ts'

/** Attributes that stay true for long and matter to many questions. Those that are dangerous to forget come first. */
const LASTING: readonly string[] = [
  'name',
  'called',
  'allergy',
  'diet',
  'does not consume',
  'health',
  'home',
  'job',
  'employer',
  'studies',
  'school',
  'relationship status',
  'partner',
  'spouse',
  'wife',
  'husband',
  'fiancé',
  'girlfriend',
  'boyfriend',
  'children',
  'age',
  'birthday',
  'origin',
  'speaks',
]
/** Maximum number of facts. Beyond these, the question decides. */
const MOST = 8

/**
 * Facts that are useful for any question, best first. Facts that a user added come before facts that were said.
 * Neither confidence nor repetition counts: both change during a conversation, and this order should not.
 */
export function rankLasting(facts: readonly Fact[]): readonly Fact[] {
  const rankOf = ({ attribute }: Fact): number => {
    const rank = LASTING.indexOf(attribute.toLowerCase())
    return rank < 0 ? LASTING.length : rank
  }
  return facts
    .filter((fact) => fact.origin === 'given' || rankOf(fact) < LASTING.length)
    .toSorted(
      (one, other) =>
        Number(other.origin === 'given') - Number(one.origin === 'given') ||
        rankOf(one) - rankOf(other) ||
        one.validFrom.getTime() - other.validFrom.getTime(),
    )
    .slice(0, MOST)
}
