import type { Fact } from '../../domain/fact.ts'

/** What stays true for long and matters to many a question; what harms when it is forgotten comes first. */
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
/** Beyond these, the question decides. */
const MOST = 8

/**
 * Facts worth knowing whatever is asked, best first. What a user gave comes before what was said. Neither
 * confidence nor how often it was said counts: both change as people talk, and this should not.
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
