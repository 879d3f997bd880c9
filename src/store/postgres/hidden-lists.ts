/**
 * Unnests list parameters so that the planner cannot see into them. Otherwise PostgreSQL would find that the lists
 * are short, that a custom plan for these few values looks cheaper than a generic one, and plan again on every call.
 * There is only one good plan: look up each value.
 */
export const hiddenLists = (...lists: readonly string[]): string =>
  `unnest(${lists.map((list) => `(SELECT ${list})`).join(', ')})`
