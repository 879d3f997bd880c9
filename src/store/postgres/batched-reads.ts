import type { Conversation } from '../../domain/conversation.ts'
import type { PageState } from '../../domain/page.ts'
import { byKey } from '../batch.ts'
import type { Edit } from '../edits.ts'
import type { NamedEdits } from '../item-rows.ts'
import { type PageRow, toPageState } from '../page-rows.ts'
import type { PageKey } from '../page-store.ts'
import { type ConversationRow, toConversation } from '../rows.ts'
import { type EditRow, toEdit } from '../sql/edits.ts'
import type { ConversationKey } from '../store.ts'
import type { Session } from './session.ts'

/** Reads several conversations in one round trip; the rest of conversations is in sql/conversations.ts. */
export async function findConversations(
  session: Session,
  keys: readonly ConversationKey[],
): Promise<readonly (Conversation | undefined)[]> {
  const rows = await session.all<ConversationRow & { at: number }>(
    `SELECT s.at, c.* FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS s (workspace, conversation, at)
     JOIN workspace w ON w.id = s.workspace
     JOIN conversation c ON c.workspace = w.number AND c.id = s.conversation`,
    keys.map(({ workspace }) => workspace),
    keys.map(({ conversation }) => conversation),
  )
  return byKey(keys.length, rows).map(([row]) => row && toConversation(row))
}

export async function readNamedEdits(
  session: Session,
  named: readonly NamedEdits[],
): Promise<readonly (readonly Edit[])[]> {
  const rows = await session.all<EditRow & { at: number }>(
    `SELECT s.at, e.*, c.id AS conversation_id FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY
       AS s (workspace, conversation, key, at)
     JOIN workspace w ON w.id = s.workspace
     JOIN conversation c ON c.workspace = w.number AND c.id = s.conversation
     JOIN edit e ON e.workspace = c.workspace AND e.conversation = c.number AND e.key = s.key
       AND e.kind = ANY($4::text[]) ORDER BY e.number`,
    named.map(({ workspace }) => workspace),
    named.map(({ conversation }) => conversation),
    named.map(({ key }) => key),
    [...new Set(named.flatMap(({ kinds }) => kinds))],
  )
  return byKey(named.length, rows).map((own, i) =>
    own.filter(({ kind }) => (named[i] as NamedEdits).kinds.includes(kind)).map(toEdit),
  )
}

/** Reads several pages in one round trip; the rest of pages is in sql/pages.ts. */
export async function findPages(
  session: Session,
  keys: readonly PageKey[],
): Promise<readonly (PageState | undefined)[]> {
  const rows = await session.all<PageRow & { at: number }>(
    `SELECT s.at, p.* FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS s (workspace, page, at)
     JOIN workspace w ON w.id = s.workspace JOIN page p ON p.workspace = w.number AND p.id = s.page`,
    keys.map(({ workspace }) => workspace),
    keys.map(({ page }) => page),
  )
  return byKey(keys.length, rows).map(([row]) => row && toPageState(row))
}
