// Attributes are open: extractors may use new ones. Attributes that hold one value at a time are listed here; all
// others may have several values at once.

const SINGLE: ReadonlySet<string> = new Set([
  'name',
  'called',
  'age',
  'birthday',
  'home',
  'origin',
  'employer',
  'job',
  'studies',
  'school',
  'relationship status',
  'diet',
  'children',
  'wife',
  'husband',
  'spouse',
  'partner',
  'girlfriend',
  'boyfriend',
  'fiancé',
  'mother',
  'father',
])
const SINGLE_FAMILIES: readonly string[] = ['favourite ', 'date of ', 'version of ']

/** Attribute names that a model should use, so that its facts and those of the patterns get the same keys. */
export const KNOWN_ATTRIBUTES: readonly string[] = [
  ...SINGLE,
  ...SINGLE_FAMILIES.map((family) => `${family}…`),
  ...['former home', 'former employer', 'family', 'pet', 'car'],
  ...['likes', 'dislikes', 'prefers', 'does not consume', 'allergy', 'health'],
  ...['speaks', 'learns', 'plays', 'uses', 'plan', 'instruction'],
]

/** Whether a newer value of this attribute closes the older one. */
export function isSingleValued(attribute: string): boolean {
  return SINGLE.has(attribute) || SINGLE_FAMILIES.some((family) => attribute.startsWith(family))
}

const OPPOSITES: Readonly<Record<string, string>> = {
  likes: 'dislikes',
  dislikes: 'likes',
  'former home': 'home',
  'former employer': 'employer',
}

/** The attribute that cannot hold the same value at the same time. */
export function oppositeOf(attribute: string): string | undefined {
  return OPPOSITES[attribute]
}
