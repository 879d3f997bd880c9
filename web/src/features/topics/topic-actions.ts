import { useMemo } from 'react'
import type { UsedTopics } from 'recollect/react'
import { showToast } from '../../ui/toasts.tsx'
import type { Topic } from './topic.ts'

interface TopicChanges {
  readonly title?: string | null
  readonly tags?: readonly string[]
  readonly importance?: number
  readonly isPinned?: boolean
}

/** What can be done to topics; shown at once, and told where it fails. */
export interface TopicActions {
  change(topic: Topic, changes: TopicChanges): Promise<void>
  merge(into: Topic, from: Topic): Promise<void>
  split(messageIds: readonly string[]): Promise<void>
  move(messageIds: readonly string[], to: Topic): Promise<void>
  /** Brings it back, with a way to take that back. */
  restore(topic: Topic): Promise<void>
}

export function useTopicActions(topics: UsedTopics, onChanged: () => Promise<void>): TopicActions {
  const { change, merge, split, move, restore, undoRestore } = topics
  return useMemo(() => {
    const attempt = async (work: () => Promise<void>, done: string, undo?: () => Promise<void>) => {
      try {
        await work()
        if (undo === undefined) showToast(done, { durationMs: 3000 })
        else showToast(done, { action: { label: 'Undo', run: () => void attempt(undo, 'As it was.') } })
      } catch (error) {
        showToast(`That could not be done: ${error instanceof Error ? error.message : String(error)}`)
      }
      await onChanged()
    }
    return {
      change: (topic, changes) => attempt(() => change(topic.id, changes), 'Changed.'),
      merge: (into, from) =>
        attempt(() => merge(into.id, from.id), `“${from.title}” is part of “${into.title}” now.`),
      split: (messageIds) => attempt(() => split(messageIds), 'They are a topic of their own now.'),
      move: (messageIds, to) =>
        attempt(async () => {
          for (const messageId of messageIds) await move(messageId, to.id)
        }, `Moved to “${to.title}”.`),
      restore: ({ id, title }) =>
        attempt(
          () => restore(id),
          `“${title}” is back.`,
          () => undoRestore(id),
        ),
    }
  }, [change, merge, split, move, restore, undoRestore, onChanged])
}
