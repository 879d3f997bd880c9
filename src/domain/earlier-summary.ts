import type { MessageId } from './ids.ts'

/** What the earlier turns of a conversation were condensed to, for a reader who sees the later ones in full. */
export interface EarlierSummary {
  /** In the order in which things were said. */
  readonly sentences: readonly {
    readonly text: string
    /** The message that it reports; missing where a model wrote it. */
    readonly messageId?: MessageId
  }[]
  /** It covers so many messages, from the first. */
  readonly through: number
  /** Which model, or which built-in means. */
  readonly madeBy: string
}

/** The summary of what lies before a position; undefined while there is none. */
export type SummaryBefore = (position: number) => EarlierSummary | undefined
