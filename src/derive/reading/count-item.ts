import type { CountTokens } from '../../domain/tokens.ts'
import type { DerivedItem } from '../../store/derivations.ts'

/** The body fields that appear in a prompt. */
const SAID: readonly string[] = ['subject', 'attribute', 'value', 'title', 'name', 'text']

/** Cache size: titles and names repeat with every message. */
const MOST_REMEMBERED = 1000
const remembered = new WeakMap<CountTokens, Map<string, number>>()

/** The item with its size in a prompt, in tokens. */
export function countItem(item: DerivedItem, countTokens: CountTokens): DerivedItem {
  const words = SAID.map((field) => item.body[field]).filter((value) => typeof value === 'string')
  return { ...item, tokens: countOnce(words.join(' '), countTokens) }
}

function countOnce(text: string, countTokens: CountTokens): number {
  const counts = remembered.get(countTokens) ?? new Map<string, number>()
  const known = counts.get(text)
  if (known !== undefined) return known
  if (counts.size >= MOST_REMEMBERED) counts.clear()
  const tokens = countTokens(text)
  remembered.set(countTokens, counts.set(text, tokens))
  return tokens
}
