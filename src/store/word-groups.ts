import { MAX_WORD_CHARACTERS } from '../domain/words.ts'

/** A word or phrase that the word index can contain. */
const WORDS = /^[\p{L}\p{M}\p{N}]+(?: [\p{L}\p{M}\p{N}]+)*$/u

/**
 * Reduces each group to what the index can contain: anything else matches nothing, and could be query syntax.
 * Undefined if nothing can match.
 */
export function askedGroups(
  groups: readonly (readonly string[])[],
): readonly (readonly string[])[] | undefined {
  const asked = groups.map((group) =>
    [...new Set(group)].filter((word) => word.length <= MAX_WORD_CHARACTERS && WORDS.test(word)),
  )
  return asked.length === 0 || asked.some((group) => group.length === 0) ? undefined : asked
}
