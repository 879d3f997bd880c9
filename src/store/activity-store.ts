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
