import type { Conversation } from '../../domain/conversation.ts'
import type { WorkspaceId } from '../../domain/ids.ts'

/** What the writers of the formats get. */
export interface ExportRequest {
  readonly workspace: WorkspaceId
  readonly conversations: AsyncIterable<Conversation>
  readonly now: Date
  readonly onMessage?: () => void
}
