import type { Conversation } from '../../domain/conversation.ts'
import type { Document } from '../../domain/document.ts'
import type { WorkspaceId } from '../../domain/ids.ts'
import type { PageState } from '../../domain/page.ts'
import type { Edit } from '../../store/edits.ts'

/** What the writers of the formats get. */
export interface ExportRequest {
  readonly workspace: WorkspaceId
  readonly conversations: AsyncIterable<Conversation>
  readonly pages: AsyncIterable<PageState>
  readonly documents: AsyncIterable<Document>
  readonly edits: AsyncIterable<Edit>
  readonly now: Date
  readonly onMessage?: () => void
}
