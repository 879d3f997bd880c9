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
  /** When the question is asked. */
  readonly now?: Date
  /** Documents attached to these conversations are visible, besides those of the whole workspace. */
  readonly documentsOf: readonly ConversationId[]
  readonly activeFile?: string
  /** Conversations to which the active file is attached, if it is visible only as the active file. */
  readonly activeFileOf?: readonly ConversationId[]
  readonly excludeMessageIds: ReadonlySet<string>
  /** A message that is always scored and always reported, as a result or as left out. */
  readonly about?: MessageId
  readonly signal?: AbortSignal
}
