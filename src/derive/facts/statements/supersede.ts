// Whether a newer statement takes the place of an older one. Both have to be about the same thing, which shows in the
// terms and names that they share; then the newer one takes its place if it names the old value as replaced, says that
// the thing is over, or gives another value of the same type. The less they share, the more the newer one has to say
// that something changed ("now", "moved", "instead"). To speak of the same person is not enough.

import { listWords } from '../../../domain/words.ts'
import { type StatementDetails, toStem } from './find-statements.ts'
import type { TypedValue } from './read-values.ts'

export function supersedes(newer: StatementDetails, older: StatementDetails): boolean {
  if (isAnnounced(newer, older)) return true
  const overlap = overlapOf(newer, older)
  const { shared, share, isOfThings } = overlap
  if (shared === 0) return newer.isEnd && isNamedOver(newer, older)
  if (newer.replaced.some((value) => isAmong(value.text, older))) return true
  if (newer.isEnd && (share >= 0.5 || isNamedOver(newer, older))) return true
  if (givesOtherValue(newer, older)) return isSameThing(newer, older, overlap)
  return newer.isChange && isOfThings && (share >= 0.6 || (share >= 0.3 && namesAnother(newer, older)))
}

/**
 * "Orlando hurt his knee. His grandson comes now, on Thursdays" after "Orlando brings eggs every Tuesday". Who is
 * replaced is named beside what takes the place, or in the change itself.
 */
function isAnnounced(newer: StatementDetails, older: StatementDetails): boolean {
  const isSaidApart = (stem: string) => newer.isChange || !newer.terms.includes(stem)
  const isNamed = newer.around?.some((stem) => older.terms.includes(stem) && isSaidApart(stem))
  if (isNamed !== true) return false
  const isOther = newer.isChange && newer.names.length > 0 && sharedNames(newer, older) === 0
  return isOther || otherValues(newer, older).some(({ type }) => type !== 'number')
}

interface Overlap {
  readonly shared: number
  /** Of the shorter one's terms. */
  readonly share: number
  /** Not only of names. */
  readonly isOfThings: boolean
}

function overlapOf(newer: StatementDetails, older: StatementDetails): Overlap {
  const shared = newer.terms.filter((term) => older.terms.includes(term))
  const ofNames = new Set(older.names.concat(newer.names).flatMap((name) => [...listWords(name)].map(toStem)))
  return {
    shared: shared.length,
    share: shared.length / Math.min(newer.terms.length, older.terms.length),
    isOfThings: shared.length > 1 || shared.some((term) => !ofNames.has(term)),
  }
}

function isSameThing(
  newer: StatementDetails,
  older: StatementDetails,
  { shared, share, isOfThings }: Overlap,
): boolean {
  const names = sharedNames(newer, older)
  const others = otherValues(newer, older)
  const isCounted = others.some((value) => isSameCount(value, older))
  if (names > 0 && isCounted) return true
  // Numbers without a unit are often of different things.
  const isPlain = !isCounted && others.every(({ type }) => type === 'number')
  const isEnough = isPlain ? shared >= 2 || isAllAbout(newer, older) : share >= 0.5 || shared >= 3
  if (isOfThings && isEnough) return true
  if (names >= 2) return true
  return newer.isChange && (shared >= 2 || share >= 0.25 || (names > 0 && newer.terms.length <= 3))
}

/** "24 in statistics": its one term is no side matter of the older one. */
const isAllAbout = (newer: StatementDetails, older: StatementDetails): boolean =>
  newer.terms.length === 1 && older.terms.length <= 5

const sharedNames = (newer: StatementDetails, older: StatementDetails): number =>
  newer.names.filter((name) => older.names.some((other) => isPartOf(name, other) || isPartOf(other, name)))
    .length

/** "Achterberg" and "Dr Achterberg", "Brill" and "Brill Ventures". */
const isPartOf = (name: string, whole: string): boolean =>
  whole === name || whole.startsWith(`${name} `) || whole.endsWith(` ${name}`)

/** "Callum takes over infra" after "Tunde runs our infra". */
const namesAnother = (newer: StatementDetails, older: StatementDetails): boolean =>
  newer.names.length > 0 && older.names.length > 0 && sharedNames(newer, older) === 0

const givesOtherValue = (newer: StatementDetails, older: StatementDetails): boolean =>
  otherValues(newer, older).length > 0

function otherValues(newer: StatementDetails, older: StatementDetails): readonly TypedValue[] {
  const kinds = new Set(older.values.map(kindOf))
  return newer.values.filter((value) => kinds.has(kindOf(value)) && !isAmong(value.text, older))
}

/** Kilograms and kilometres are no values of the same kind. */
const kindOf = ({ type, text }: TypedValue): string =>
  type === 'measure' ? text.replace(/[\d.,\s]+/gu, '') : type

/** "60 seats" after "45 seats". */
const isSameCount = ({ type, of }: TypedValue, older: StatementDetails): boolean =>
  of !== undefined && older.values.some((value) => value.type === type && value.of === of)

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
