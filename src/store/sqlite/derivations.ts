const OF_DERIVER = `FROM workspace w CROSS JOIN conversation c ON c.workspace = w.number
  CROSS JOIN derivation d ON w.id = ? AND c.id = ? AND d.conversation = c.number AND d.deriver = ?`

/** The conversation `c` of a workspace and its active derivation `d` by one deriver. */
export const ACTIVE: string = `${OF_DERIVER} AND d.is_active = 1`
/** A generation that may not be active yet. */
export const OF_GENERATION: string = `${OF_DERIVER} AND d.generation = ?`
