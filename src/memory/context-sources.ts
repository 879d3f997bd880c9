// The sources of a context other than the conversation itself.

import type { ContextSources } from '../context/context.ts'
import { readNotes } from '../derive/notes/read-notes.ts'
import { readEarlierSummaries } from '../derive/summaries/rolling-summary.ts'
import { countRecall } from '../derive/topics/count-recalls.ts'
import { positionOf } from '../domain/locator.ts'
import type { Recalled } from '../domain/recall.ts'
import type { ResolvedTopics } from '../options/derive-options.ts'
import type { ResolvedConfig } from '../options/options.ts'
import type { WorkspaceDeps } from '../record/record.ts'
import { readStanding } from './always-on-memory.ts'
import { joinPage, readOpenPage, readPageMaterial } from './page-sources.ts'
import type { Recall } from './recall.ts'

export function createContextSources(
  recorder: WorkspaceDeps,
  { notes, summary, topics, history }: ResolvedConfig,
  { recall }: Recall,
): ContextSources {
  return {
    standing: (subjects) => readStanding(recorder, subjects),
    page: (id) => readOpenPage(recorder, id),
    pageMaterial: (page, question) => readPageMaterial(recorder, history, { page, question }),
    joinPage: (place) => joinPage(recorder, place),
    earlierSummaries: (key) => readEarlierSummaries(recorder.store, key, summary.everyNMessages),
    notes: ({ workspace, conversation }) =>
      readNotes(recorder.store, {
        workspace,
        conversation,
        expireDays: notes.expireDays,
        now: recorder.now(),
      }),
    recall,
    countUse: (items) => countUse(recorder, topics, items),
  }
}

/** Counts a use of each message's topic, once per topic. */
async function countUse(
  { store, workspace, now }: WorkspaceDeps,
  options: ResolvedTopics,
  items: readonly Recalled[],
): Promise<void> {
  const topics = new Map(
    items.flatMap(({ topicId, conversationId }) =>
      topicId === undefined || conversationId === undefined ? [] : [[topicId, conversationId] as const],
    ),
  )
  // Concurrently, so that they share a commit.
  await Promise.all(
    Array.from(topics, async ([topic, conversation]) => {
      const [place] = await store.locate(workspace, [topic])
      if (place === undefined) return
      await countRecall({ store, options, now: now() }, { workspace, conversation }, positionOf(place))
    }),
  )
}
