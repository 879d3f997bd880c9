import { conversationId, type MessageId, messageId, type WorkspaceId } from '../../../domain/ids.ts'
import { type MessageLocator, toLocator } from '../../../domain/locator.ts'
import type { Role } from '../../../domain/message.ts'
import { READER } from '../../derivations.ts'
import type { LocatedContent, MessageMeta, MessageMetaOptions } from '../../recall-store.ts'
import { PLACED_COLUMNS, type PlacedRow, toPlacedMessage } from '../../rows.ts'
import { withWords } from '../blocks.ts'
import { toPlaceColumns } from '../message-words.ts'
import type { Session } from '../session.ts'

/** The messages `m` at a list of locators, in its order, if they are in the workspace and not erased. */
const AT_PLACES = `FROM unnest($2::bigint[], $3::int[]) WITH ORDINALITY AS s (conversation, position, at)
  JOIN message m ON m.workspace = (SELECT number FROM workspace WHERE id = $1) AND m.conversation = s.conversation
    AND m.position = s.position
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

const TOPICS = `LEFT JOIN derivation d ON d.workspace = m.workspace AND d.conversation = m.conversation
    AND d.deriver = '${READER}' AND d.is_active
  LEFT JOIN reading r ON r.workspace = d.workspace AND r.derivation = d.number AND r.position = m.position`

const toColumns = (places: readonly MessageLocator[]) => toPlaceColumns(places.filter(Number.isSafeInteger))

export async function readHeads(
  session: Session,
  { workspace, includeTopics = true }: MessageMetaOptions & { readonly workspace: WorkspaceId },
  places: readonly MessageLocator[],
): Promise<readonly MessageMeta[]> {
  if (places.length === 0) return []
  const rows = await session.all<HeadRow>(
    `SELECT m.conversation, m.position, c.id AS conversation_id, m.id, m.role, m.name, m.created_at, m.tokens,
       m.importance, ${includeTopics ? 'r.topic' : 'NULL AS topic'} ${AT_PLACES} ${includeTopics ? TOPICS : ''}
     ${STANDING}`,
    workspace,
    ...toColumns(places),
  )
  return rows.map(toHead)
}

function toHead(row: HeadRow): MessageMeta {
  const { name, importance, topic } = row
  return {
    locator: toLocator(row.conversation, row.position),
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

export async function readWordsAt(
  session: Session,
  workspace: WorkspaceId,
  places: readonly MessageLocator[],
): Promise<readonly LocatedContent[]> {
  if (places.length === 0) return []
  const rows = await session.all<PlacedRow & { readonly workspace: number }>(
    `SELECT m.workspace, ${PLACED_COLUMNS} ${AT_PLACES} ${STANDING}`,
    workspace,
    ...toColumns(places),
  )
  const [first] = rows
  return (first === undefined ? [] : await withWords(session, first.workspace, rows)).map(toPlacedMessage)
}

export async function readPlaces(
  session: Session,
  workspace: WorkspaceId,
  ids: readonly MessageId[],
): Promise<readonly MessageLocator[]> {
  const rows = await session.all<{ conversation: number; position: number }>(
    `SELECT m.conversation, m.position FROM workspace w
     CROSS JOIN unnest($2::text[]) WITH ORDINALITY AS s (id, at)
     JOIN message m ON m.workspace = w.number AND m.id = s.id WHERE w.id = $1 AND m.erased_at IS NULL ORDER BY s.at`,
    workspace,
    ids,
  )
  return rows.map(({ conversation, position }) => toLocator(conversation, position))
}
