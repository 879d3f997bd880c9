// Daily activity. The store computes the sums itself, so that no rows are transferred, however many there are.

import type { WorkspaceId } from '../domain/ids.ts'
import type { Section } from '../domain/receipt.ts'

export interface ActivitySpan {
  readonly workspace: WorkspaceId
  /** Start of the first day. */
  readonly from: Date
  /** Number of 24-hour days. */
  readonly days: number
}

/** Sums of one day. */
export interface ActivitySums {
  /** Messages created on that day, without erased ones. */
  readonly messages: number
  readonly tokens: number
  /** Only contexts whose receipts are still stored. */
  readonly contexts: number
  /** Tokens of the contexts that were passed to models. */
  readonly contextTokens: number
  /**
   * Tokens that the whole conversations would have taken; at least `contextTokens`, since a context may include
   * memory from other conversations.
   */
  readonly historyTokens: number
}

export interface StoreActivity {
  /** One entry per requested day, oldest first. */
  readonly days: readonly ActivitySums[]
  /** Context tokens by section; sections without tokens are left out. */
  readonly sections: Readonly<Partial<Record<Section, number>>>
}

export interface ActivityStore {
  /** Counts contexts only in conversations that were used since the start of the span. */
  activity(span: ActivitySpan): Promise<StoreActivity>
}

/** Sums of one day, keyed by the number of the day. */
export interface ActivityRow extends Partial<ActivitySums> {
  readonly day: number
}

export const DAY_MS = 86_400_000

const NO_ACTIVITY: ActivitySums = { messages: 0, tokens: 0, contexts: 0, contextTokens: 0, historyTokens: 0 }

/** Returns one entry per day, including days without activity; rows of the same day are added up. */
export function addUp(
  count: number,
  rows: readonly ActivityRow[],
  sections: readonly { readonly section: Section; readonly tokens: number }[],
): StoreActivity {
  const days = Array.from({ length: count }, () => NO_ACTIVITY)
  for (const row of rows) days[row.day] = plus(days[row.day] ?? NO_ACTIVITY, row)
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
