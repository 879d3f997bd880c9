// What a context is made from beside the conversation itself: each step answers for its part.

import type { MemorySources } from './context/context.ts'
import { readEarlierSummaries } from './derive/summaries/rolling-summary.ts'
import { listNotes } from './notes-handle.ts'
import type { ResolvedOptions } from './options.ts'
import type { RecallHandle } from './recall-handle.ts'
import type { Recorder } from './record/record.ts'
import { readStanding } from './standing-memory.ts'

export function openMemorySources(
  recorder: Recorder,
  { notes, convo }: ResolvedOptions,
  { recall }: RecallHandle,
): MemorySources {
  return {
    standing: (subjects) => readStanding(recorder, subjects),
    earlierSummaries: (key) => readEarlierSummaries(recorder.store, key, convo.summaryEveryNMessages),
    notes: ({ conversation }) => listNotes(recorder, notes.expireDays, { conversationId: conversation }),
    recall,
  }
}
