import { MAX_WORD_CHARACTERS } from '../domain/words.ts'

/** All that can stand in an index of words, one or in a row. */
const WORDS = /^[\p{L}\p{M}\p{N}]+(?: [\p{L}\p{M}\p{N}]+)*$/u

/**
 * Of each group what can be in an index at all: anything else is found nowhere, and might mean something to a query
 * language. Undefined where nothing can be found.
 */
export function askedGroups(
  groups: readonly (readonly string[])[],
): readonly (readonly string[])[] | undefined {
  const asked = groups.map((group) =>
    [...new Set(group)].filter((word) => word.length <= MAX_WORD_CHARACTERS && WORDS.test(word)),
  )
  return asked.length === 0 || asked.some((group) => group.length === 0) ? undefined : asked
}
