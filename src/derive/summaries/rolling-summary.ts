import type { ConversationKey, MessageId } from '../../domain/ids.ts'
import type { StoredItem } from '../../store/derivations.ts'
import type { Store } from '../../store/store.ts'
import { MODEL_SUMMARIES, SUMMARIES, WHOLE_CONVERSATION } from './rolled.ts'

/** What the earlier turns of a conversation were condensed to. */
export interface RollingSummary {
  readonly text: string
  readonly keyTopics: readonly string[]
  /** The messages that it came from, in order. */
  readonly messageIds: readonly MessageId[]
  readonly tokens: number
  /** It covers so many messages, from the first. */
  readonly through: number
  /** Which model, or which built-in means. */
  readonly madeBy: string
  readonly madeAt: Date
}

/** The one that a model wrote, unless it lags behind; undefined while nothing was condensed. */
export async function readRollingSummary(
  store: Store,
  key: ConversationKey,
  mostBehind: number,
): Promise<RollingSummary | undefined> {
  const find = async (deriver: string) => {
    const list = { ...key, deriver, kind: 'summary', key: WHOLE_CONVERSATION } as const
    const [item] = await store.derivedItems(list)
    return item && toRollingSummary(item)
  }
  const [builtIn, written] = [await find(SUMMARIES), await find(MODEL_SUMMARIES)]
  const isFresh = written !== undefined && written.through >= (builtIn?.through ?? 0) - mostBehind
  return isFresh ? written : builtIn
}

function toRollingSummary({ body, sources, tokens, madeBy, madeAt }: StoredItem): RollingSummary {
  const { text, keyTopics, through } = body as unknown as RollingSummary
  return { text, keyTopics, messageIds: sources, tokens, through, madeBy, madeAt }
}
