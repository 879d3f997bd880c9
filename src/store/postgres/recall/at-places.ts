import { conversationId, type MessageId, messageId, type WorkspaceId } from '../../../domain/ids.ts'
import type { Message, Role } from '../../../domain/message.ts'
import { type Place, placeOf } from '../../../domain/place.ts'
import { type MessageHead, TOPICS_DERIVER } from '../../recall-store.ts'
import { MESSAGE_COLUMNS, type MessageRow, toMessage } from '../../rows.ts'
import { withWords } from '../blocks.ts'
import type { Session } from '../connection.ts'
import { findWorkspace } from '../conversations.ts'
import { toPlaceColumns } from '../message-words.ts'

/** The messages `m` at the places of a list, in its order, that a workspace has and that are not erased. */
const AT_PLACES = `FROM unnest($2::bigint[], $3::int[]) WITH ORDINALITY AS s (conversation, position, at)
  JOIN message m ON m.workspace = $1 AND m.conversation = s.conversation AND m.position = s.position
  JOIN conversation c ON c.workspace = m.workspace AND c.number = m.conversation`
const STANDING = 'WHERE m.erased_at IS NULL ORDER BY s.at'

interface HeadRow {
  readonly conversation: number
  readonly position: number
  readonly conversation_id: string
  readonly id: string
  readonly role: string
  readonly name: string | null
  readonly created_at: number
  readonly tokens: number
  readonly importance: number | null
  readonly topic: number | null
}

const toColumns = (places: readonly Place[]) => toPlaceColumns(places.filter(Number.isSafeInteger))

export async function readHeads(
  session: Session,
  workspace: WorkspaceId,
  places: readonly Place[],
): Promise<readonly MessageHead[]> {
  const number = await findWorkspace(session, workspace)
  if (number === undefined || places.length === 0) return []
  const rows = await session.all<HeadRow>(
    `SELECT m.conversation, m.position, c.id AS conversation_id, m.id, m.role, m.name, m.created_at, m.tokens,
       m.importance, r.topic ${AT_PLACES}
     LEFT JOIN derivation d ON d.workspace = m.workspace AND d.conversation = m.conversation
       AND d.deriver = '${TOPICS_DERIVER}' AND d.is_active
     LEFT JOIN reading r ON r.workspace = d.workspace AND r.derivation = d.number AND r.position = m.position
     ${STANDING}`,
    number,
    ...toColumns(places),
  )
  return rows.map(toHead)
}

function toHead(row: HeadRow): MessageHead {
  const { name, importance, topic } = row
  return {
    place: placeOf(row.conversation, row.position),
    id: messageId(row.id),
    conversationId: conversationId(row.conversation_id),
    role: row.role as Role,
    ...(name !== null && { name }),
    createdAt: new Date(row.created_at),
    tokens: row.tokens,
    ...(importance !== null && { importance }),
    ...(topic !== null && { topic }),
  }
}

export async function readMessagesAt(
  session: Session,
  workspace: WorkspaceId,
  places: readonly Place[],
): Promise<readonly (Message & { readonly place: Place })[]> {
  const number = await findWorkspace(session, workspace)
  if (number === undefined || places.length === 0) return []
  const rows = await session.all<MessageRow>(
    `SELECT ${MESSAGE_COLUMNS} ${AT_PLACES} ${STANDING}`,
    number,
    ...toColumns(places),
  )
  return (await withWords(session, number, rows)).map((row) => ({
    ...toMessage(row),
    place: placeOf(row.conversation, row.position),
  }))
}

export async function readPlaces(
  session: Session,
  workspace: WorkspaceId,
  ids: readonly MessageId[],
): Promise<readonly Place[]> {
  const rows = await session.all<{ conversation: number; position: number }>(
    `SELECT m.conversation, m.position FROM workspace w
     CROSS JOIN unnest($2::text[]) WITH ORDINALITY AS s (id, at)
     JOIN message m ON m.workspace = w.number AND m.id = s.id WHERE w.id = $1 AND m.erased_at IS NULL ORDER BY s.at`,
    workspace,
    ids,
  )
  return rows.map(({ conversation, position }) => placeOf(conversation, position))
}
