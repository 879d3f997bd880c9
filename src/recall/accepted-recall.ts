import type { ConversationId, MessageId, WorkspaceId } from '../domain/ids.ts'
import type { RecallKind } from '../domain/recall.ts'

/** A validated recall request. */
export interface AcceptedRecall {
  readonly workspace: WorkspaceId
  readonly text: string
  readonly conversations?: readonly ConversationId[]
  /** The conversation in which the question is asked. */
  readonly currentConversationId?: ConversationId
  readonly questionMessageId?: MessageId
  readonly topics?: readonly MessageId[]
  readonly kinds: ReadonlySet<RecallKind>
  readonly limit: number
  readonly budgetTokens?: number
  readonly from?: Date
  readonly to?: Date
  readonly asOf?: Date
  readonly activeFile?: string
  readonly excludeMessageIds: ReadonlySet<string>
  /** A message that is always scored and always reported, as a result or as left out. */
  readonly about?: MessageId
  readonly signal?: AbortSignal
}
