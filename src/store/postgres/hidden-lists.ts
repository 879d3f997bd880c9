/**
 * Rows of the lists that are parameters of a statement. PostgreSQL is kept from looking into them when it makes a plan:
 * it would find that they are short, that a plan for just these few is cheaper than one for all, and plan every time
 * anew. There is only one good plan: to look up each.
 */
export const hiddenLists = (...lists: readonly string[]): string =>
  `unnest(${lists.map((list) => `(SELECT ${list})`).join(', ')})`
