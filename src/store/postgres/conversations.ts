import type { Conversation } from '../../domain/conversation.ts'
import { byKey } from '../batch.ts'
import { type ConversationRow, toConversation } from '../rows.ts'
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
