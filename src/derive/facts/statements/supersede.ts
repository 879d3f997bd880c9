// Whether a newer statement takes the place of an older one. Both have to be about the same thing, which shows in the
// terms and names that they share; then the newer one takes its place if it names the old value as replaced, says that
// the thing is over, or gives another value of the same type. The less they share, the more the newer one has to say
// that something changed ("now", "moved", "instead").

import type { StatementDetails } from './find-statements.ts'

export function supersedes(newer: StatementDetails, older: StatementDetails): boolean {
  if (isAnnounced(newer, older)) return true
  const shared = newer.terms.filter((term) => older.terms.includes(term)).length
  if (shared === 0) return newer.isEnd && isNamedOver(newer, older)
  const share = shared / Math.min(newer.terms.length, older.terms.length)
  if (newer.replaced.some((value) => isAmong(value.text, older))) return true
  if (newer.isEnd && (share >= 0.5 || isNamedOver(newer, older))) return true
  if (givesOtherValue(newer, older)) return isSameThing(newer, older, { shared, share })
  return newer.isChange && (share >= 0.6 || (share >= 0.3 && namesAnother(newer, older)))
}

/** "Orlando hurt his knee. His grandson comes now, on Thursdays" after "Orlando brings eggs every Tuesday". */
function isAnnounced(newer: StatementDetails, older: StatementDetails): boolean {
  const isNamed = newer.around?.some((stem) => older.terms.includes(stem)) === true
  return isNamed && (givesOtherValue(newer, older) || namesAnother(newer, older))
}

interface Overlap {
  readonly shared: number
  /** Of the shorter one's terms. */
  readonly share: number
}

function isSameThing(newer: StatementDetails, older: StatementDetails, { shared, share }: Overlap): boolean {
  const names = sharedNames(newer, older)
  if (share >= 0.5 || shared >= 3 || names >= 2) return true
  return newer.isChange && (shared >= 2 || share >= 0.25 || (names > 0 && newer.terms.length <= 3))
}

const sharedNames = (newer: StatementDetails, older: StatementDetails): number =>
  newer.names.filter((name) => older.names.includes(name)).length

/** "Callum takes over infra" after "Tunde runs our infra". */
const namesAnother = (newer: StatementDetails, older: StatementDetails): boolean =>
  newer.names.length > 0 && older.names.length > 0 && sharedNames(newer, older) === 0

function givesOtherValue(newer: StatementDetails, older: StatementDetails): boolean {
  const types = new Set(older.values.map(({ type }) => type))
  return newer.values.some(({ type, text }) => types.has(type) && !isAmong(text, older))
}

/** "Plume's out", "2 October is dead": short, and it names what is over. */
function isNamedOver(newer: StatementDetails, older: StatementDetails): boolean {
  if (newer.terms.length > 4) return false
  const isDated = newer.values.some(({ type, text }) => type === 'date' && isAmong(text, older))
  return isDated || sharedNames(newer, older) > 0
}

const isAmong = (text: string, { values }: StatementDetails): boolean =>
  values.some((value) => figuresOf(value.text) === figuresOf(text))

/** Without the unit: 31 and 31k are the same. */
const figuresOf = (text: string): string =>
  text.match(/\d[\d.,:]*(?: \p{L}{3})?/u)?.[0].replace(/[.,]$/u, '') ?? text
