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
