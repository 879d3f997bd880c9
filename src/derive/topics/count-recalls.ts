// Recalling a topic for a model counts as a use: it refreshes the topic as if somebody had mentioned it. It is
// stored as an edit, so that it survives rebuilds.

import type { ConversationKey } from '../../domain/ids.ts'
import type { ResolvedTopics } from '../../options/derive-options.ts'
import type { Store } from '../../store/store.ts'
import { readTopicUse, TOPIC_RECALLED } from './read-topics.ts'

/** Several turns about the same topic are one use, so that not every turn writes. */
const SAME_USE_MS = 3_600_000

export interface RecallCounting {
  readonly store: Store
  readonly options: ResolvedTopics
  readonly now: Date
}

/** Counts a use of the topic that began at this position, unless it was used just now. */
export async function countRecall(
  counting: RecallCounting,
  key: ConversationKey,
  start: number,
): Promise<void> {
  const { store, now } = counting
  const use = await readTopicUse(counting, key, start)
  if (use === undefined || now.getTime() - use.lastUsedAt.getTime() < SAME_USE_MS) return
  const edit = {
    kind: TOPIC_RECALLED,
    key: String(start),
    body: { times: use.recalls + 1, at: now.toISOString() },
    conversation: key.conversation,
  }
  await store.saveEdit(key.workspace, edit, { now, replace: true })
}
