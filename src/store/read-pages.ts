import type { Conversation } from '../domain/conversation.ts'
import type { Document } from '../domain/document.ts'
import type { WorkspaceId } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import type { DocumentList } from './document-store.ts'
import type { Edit, EditList } from './edits.ts'
import type { ConversationKey, Store } from './store.ts'

const PAGE = 200

/** All messages between two positions, read page by page; nothing is held open between pages. */
export async function* readMessages(
  store: Store,
  range: ConversationKey & { readonly after?: number; readonly before?: number },
): AsyncGenerator<Message> {
  for (let after = range.after ?? -1; ; ) {
    const page = await store.messages({ ...range, after, limit: PAGE })
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = last.position
  }
}

/** All conversations of a workspace, archived ones included. */
export async function* readConversations(store: Store, workspace: WorkspaceId): AsyncGenerator<Conversation> {
  for (let cursor: string | undefined; ; ) {
    const page = await store.listConversations({
      workspace,
      archived: 'with',
      limit: PAGE,
      ...(cursor !== undefined && { cursor }),
    })
    yield* page.items
    if (page.next === undefined) return
    cursor = page.next
  }
}

/** All edits of a list, in the order they were saved. */
export async function* readEdits(store: Store, list: EditList): AsyncGenerator<Edit> {
  for (let after = list.after ?? 0; ; ) {
    const page = await store.edits({ ...list, after, limit: PAGE })
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = last.id
  }
}

/** All documents of a workspace, or of a conversation, newest first. */
export async function* readDocuments(
  store: Store,
  list: Pick<DocumentList, 'workspace' | 'conversation'>,
): AsyncGenerator<Document> {
  for (let cursor: string | undefined; ; ) {
    const page = await store.listDocuments({ ...list, limit: PAGE, ...(cursor !== undefined && { cursor }) })
    yield* page.items
    if (page.next === undefined) return
    cursor = page.next
  }
}
