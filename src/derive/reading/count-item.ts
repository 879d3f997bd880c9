import type { CountTokens } from '../../domain/tokens.ts'
import type { DerivedItem } from '../../store/derivations.ts'

/** What of a body stands for it in a prompt. */
const SAID: readonly string[] = ['subject', 'attribute', 'value', 'title', 'name', 'text']

/** The item with what it would take in a prompt. */
export function countItem(item: DerivedItem, countTokens: CountTokens): DerivedItem {
  const words = SAID.map((field) => item.body[field]).filter((value) => typeof value === 'string')
  return { ...item, tokens: countTokens(words.join(' ')) }
}
