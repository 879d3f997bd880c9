import type { Section } from '../domain/receipt.ts'
import type { ActivitySums, StoreActivity } from './activity-store.ts'

/** Sums of one day, keyed by the number of the day. */
export interface ActivityRow extends Partial<ActivitySums> {
  readonly day: number
}

export const DAY_MS = 86_400_000

const NOTHING: ActivitySums = { messages: 0, tokens: 0, contexts: 0, contextTokens: 0, historyTokens: 0 }

/** Returns one entry per day, including days without activity; rows of the same day are added up. */
export function addUp(
  count: number,
  rows: readonly ActivityRow[],
  sections: readonly { readonly section: Section; readonly tokens: number }[],
): StoreActivity {
  const days = Array.from({ length: count }, () => NOTHING)
  for (const row of rows) days[row.day] = plus(days[row.day] ?? NOTHING, row)
  const spent = new Map<Section, number>()
  for (const { section, tokens } of sections)
    if (tokens > 0) spent.set(section, (spent.get(section) ?? 0) + tokens)
  return { days, sections: Object.fromEntries(spent) }
}

const plus = (sums: ActivitySums, more: Partial<ActivitySums>): ActivitySums => ({
  messages: sums.messages + (more.messages ?? 0),
  tokens: sums.tokens + (more.tokens ?? 0),
  contexts: sums.contexts + (more.contexts ?? 0),
  contextTokens: sums.contextTokens + (more.contextTokens ?? 0),
  historyTokens: sums.historyTokens + (more.historyTokens ?? 0),
})
