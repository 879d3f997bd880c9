import type { ConversationKey, MessageId } from '../../domain/ids.ts'
import type { EarlierSummary, SummaryBefore } from '../../domain/topic.ts'
import type { StoredItem } from '../../store/derivations.ts'
import type { Store } from '../../store/store.ts'
import type { Written } from './model-summary.ts'
import { MODEL_SUMMARIES, type Rolled, SUMMARIES, WHOLE_CONVERSATION } from './rolled.ts'
import { splitSentences } from './split-sentences.ts'
import { type PastSentence, type PastText, sentencesBefore } from './summary-history.ts'

/** The condensed earlier turns of a conversation. */
export interface RollingSummary {
  readonly text: string
  readonly keyTopics: readonly string[]
  /** The messages that it came from, in order. */
  readonly messageIds: readonly MessageId[]
  readonly tokens: number
  /** Number of messages that it covers, from the first. */
  readonly through: number
  /** The model or built-in version that made it. */
  readonly madeBy: string
  readonly madeAt: Date
}

/** The summary that a model wrote, unless it is too far behind; undefined before the first one. */
export async function readRollingSummary(
  store: Store,
  key: ConversationKey,
  maxLag: number,
): Promise<RollingSummary | undefined> {
  const find = async (deriver: string) => {
    const list = { ...key, deriver, kind: 'summary', key: WHOLE_CONVERSATION } as const
    const [item] = await store.derivedItems(list)
    return item && toRollingSummary(item)
  }
  const [builtIn, written] = await Promise.all([find(SUMMARIES), find(MODEL_SUMMARIES)])
  const isFresh = written !== undefined && written.through >= (builtIn?.through ?? 0) - maxLag
  return isFresh ? written : builtIn
}

function toRollingSummary({ body, sources, tokens, madeBy, madeAt }: StoredItem): RollingSummary {
  const { text, keyTopics, through } = body as unknown as RollingSummary
  return { text, keyTopics, messageIds: sources, tokens, through, madeBy, madeAt }
}

/** Returns a lookup for the summary of everything before a position, as it was made while the conversation grew. */
export async function readEarlierSummaries(
  store: Store,
  key: ConversationKey,
  maxLag: number,
): Promise<SummaryBefore> {
  const [builtIn, written] = await Promise.all([
    store.findDerivation({ ...key, deriver: SUMMARIES }),
    store.findDerivation({ ...key, deriver: MODEL_SUMMARIES }),
  ])
  const { history = [], through = 0 } = (builtIn?.state as unknown as Rolled | undefined) ?? {}
  const texts = (written?.state as unknown as Written | undefined)?.past ?? []
  // A roll that neither added nor dropped a sentence is only known if it is the last one.
  const rolls = [through, ...history.flatMap(({ from, to }) => (to === undefined ? [from] : [from, to]))]
  return (position) => {
    const byRules = condensed(history, { position, madeBy: builtIn?.version ?? '', rolls })
    const byModel = writtenBefore(texts, { position, madeBy: written?.version ?? '' })
    const isFresh = byModel !== undefined && byModel.through >= (byRules?.through ?? 0) - maxLag
    return isFresh ? byModel : byRules
  }
}

interface Asked {
  readonly position: number
  readonly madeBy: string
}

function condensed(
  history: readonly PastSentence[],
  { position, madeBy, rolls }: Asked & { readonly rolls: readonly number[] },
): EarlierSummary | undefined {
  const sentences = sentencesBefore(history, position)
  if (sentences.length === 0) return undefined
  const through = rolls.reduce((most, roll) => (roll <= position ? Math.max(most, roll) : most), 0)
  return { sentences: sentences.map(({ text, messageId }) => ({ text, messageId })), through, madeBy }
}

function writtenBefore(texts: readonly PastText[], { position, madeBy }: Asked): EarlierSummary | undefined {
  const last = texts.findLast(({ through }) => through <= position)
  if (last === undefined) return undefined
  const sentences = splitSentences(last.text).map(({ text }) => ({ text }))
  return { sentences, through: last.through, madeBy }
}
