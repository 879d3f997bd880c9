import type { WorkspaceId } from '../../domain/ids.ts'
import type { EditStore } from '../../store/edits.ts'
import { VersionedCache } from '../versioned-cache.ts'

/** Whether a recalled item was useful. */
export type Verdict = 'helpful' | 'not-helpful'

/** What feedback can be about. */
export const FEEDBACK_KINDS = ['message', 'fact', 'summary', 'topic', 'note', 'chunk', 'query'] as const
export type FeedbackKind = (typeof FEEDBACK_KINDS)[number]

export interface FeedbackItem {
  readonly kind: FeedbackKind
  /** For a fact, its key, so that feedback outlives the message that first stated it. */
  readonly id: string
}

/** The kind of edit that stores a verdict. */
export const FEEDBACK = 'feedback'

/** The key of a feedback edit about this item. */
export const feedbackKey = ({ kind, id }: FeedbackItem): string => `${kind}:${id}`

export interface VerdictCounts {
  readonly helpful: number
  readonly unhelpful: number
  /** The most recent verdict. */
  readonly last?: Verdict
}

export type ReadVerdicts = (item: FeedbackItem) => VerdictCounts

const NONE: VerdictCounts = { helpful: 0, unhelpful: 0 }

type FeedbackStore = Pick<EditStore, 'edits' | 'editsVersion'>

const kept = new VersionedCache<ReadonlyMap<string, VerdictCounts>>()

/** Loads all verdicts of a workspace and returns a lookup by item. */
export async function readFeedback(store: FeedbackStore, workspace: WorkspaceId): Promise<ReadVerdicts> {
  const version = await store.editsVersion(workspace)
  const counts = await kept.read({ store, workspace, version }, () => countVerdicts(store, workspace))
  return (item) => counts.get(feedbackKey(item)) ?? NONE
}

async function countVerdicts(
  store: FeedbackStore,
  workspace: WorkspaceId,
): Promise<ReadonlyMap<string, VerdictCounts>> {
  const counts = new Map<string, VerdictCounts>()
  for (const { key, body } of await store.edits({ workspace, kinds: [FEEDBACK] })) {
    const { helpful, unhelpful } = counts.get(key) ?? NONE
    const last = body['verdict'] === 'helpful' ? 'helpful' : 'not-helpful'
    const isHelpful = last === 'helpful'
    counts.set(key, {
      helpful: helpful + (isHelpful ? 1 : 0),
      unhelpful: unhelpful + (isHelpful ? 0 : 1),
      last,
    })
  }
  return counts
}
