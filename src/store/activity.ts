// What went on, day by day: sums that a store makes where the rows are, however many there are.

import type { WorkspaceId } from '../domain/ids.ts'
import type { Section } from '../domain/receipt.ts'

export interface ActivitySpan {
  readonly workspace: WorkspaceId
  /** When the first day begins. */
  readonly from: Date
  /** So many times 24 hours. */
  readonly days: number
}

/** One day. */
export interface ActivitySums {
  /** Said on that day, without those that are erased. */
  readonly messages: number
  readonly tokens: number
  /** As far as their receipts are kept. */
  readonly contexts: number
  /** What models were given … */
  readonly contextTokens: number
  /** … and what the whole conversations would have been; never less, since memory of elsewhere may come in. */
  readonly historyTokens: number
}

export interface StoreActivity {
  /** As many as were asked for, oldest first. */
  readonly days: readonly ActivitySums[]
  /** Tokens of the contexts, by section; without those that had none. */
  readonly sections: Readonly<Partial<Record<Section, number>>>
}

export interface ActivityStore {
  /** Contexts count with the conversations that were used since the span began. */
  activity(span: ActivitySpan): Promise<StoreActivity>
}

/** A row of sums, under the number of its day. */
export interface ActivityRow extends Partial<ActivitySums> {
  readonly day: number
}

export const DAY_MS = 86_400_000

const NOTHING: ActivitySums = { messages: 0, tokens: 0, contexts: 0, contextTokens: 0, historyTokens: 0 }

/** One entry for each day, whether anything happened on it or not; rows of the same day are added up. */
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
