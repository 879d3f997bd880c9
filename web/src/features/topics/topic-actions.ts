import { useMemo } from 'react'
import type { UsedTopics } from 'recollect/react'
import { showError, showToast } from '../../ui/toasts.tsx'
import type { Topic } from './topic.ts'

interface TopicChanges {
  readonly title?: string | null
  readonly tags?: readonly string[]
  readonly importance?: number
  readonly isPinned?: boolean
}

/** Actions on topics; they report success and failure in a toast. */
export interface TopicActions {
  change(topic: Topic, changes: TopicChanges): Promise<void>
  merge(into: Topic, from: Topic): Promise<void>
  split(messageIds: readonly string[]): Promise<void>
  move(messageIds: readonly string[], to: Topic): Promise<void>
  /** Restores the topic and offers to undo it. */
  restore(topic: Topic): Promise<void>
}

export function useTopicActions(topics: UsedTopics, onChanged: () => Promise<void>): TopicActions {
  const { change, merge, split, move, restore, undoRestore } = topics
  return useMemo(() => {
    const attempt = async (work: () => Promise<void>, done: string, undo?: () => Promise<void>) => {
      try {
        await work()
        if (undo === undefined) showToast(done, { durationMs: 3000 })
        else showToast(done, { action: { label: 'Undo', run: () => void attempt(undo, 'Undone.') } })
      } catch (error) {
        showError('Couldn’t save the change', error)
      }
      await onChanged()
    }
    return {
      change: (topic, changes) => attempt(() => change(topic.id, changes), 'Saved.'),
      merge: (into, from) =>
        attempt(() => merge(into.id, from.id), `Merged “${from.title}” into “${into.title}”.`),
      split: (messageIds) => attempt(() => split(messageIds), 'Split into a new topic.'),
      move: (messageIds, to) =>
        attempt(async () => {
          for (const messageId of messageIds) await move(messageId, to.id)
        }, `Moved to “${to.title}”.`),
      restore: ({ id, title }) =>
        attempt(
          () => restore(id),
          `Restored “${title}”.`,
          () => undoRestore(id),
        ),
    }
  }, [change, merge, split, move, restore, undoRestore, onChanged])
}
