import type { ConversationId, MessageId, WorkspaceId } from '../domain/ids.ts'
import type { RecallKind } from '../domain/recall.ts'

/** A request that passed the door. */
export interface AcceptedRecall {
  readonly workspace: WorkspaceId
  readonly text: string
  readonly conversations?: readonly ConversationId[]
  /** Where the question is asked. */
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
  /** Looked at whatever its words, and told of whatever becomes of it. */
  readonly about?: MessageId
  readonly signal?: AbortSignal
}
