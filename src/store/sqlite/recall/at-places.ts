import { conversationId, type MessageId, messageId, type WorkspaceId } from '../../../domain/ids.ts'
import { type MessageLocator, toLocator } from '../../../domain/locator.ts'
import type { Role } from '../../../domain/message.ts'
import { READER } from '../../derivations.ts'
import type { LocatedContent, MessageMeta, MessageMetaOptions } from '../../recall-store.ts'
import { PLACED_COLUMNS, type PlacedRow, toPlacedMessage } from '../../rows.ts'
import { withWords } from '../blocks.ts'
import type { Connection } from '../connection.ts'

/** The messages `m` at a list of places, in its order, that belong to a workspace and are not erased. */
const AT_PLACES = `FROM json_each(?) s
  CROSS JOIN message m ON m.conversation = s.value >> 24 AND m.position = s.value & 0xffffff
  CROSS JOIN conversation c ON c.number = m.conversation
  WHERE c.workspace = (SELECT number FROM workspace WHERE id = ?) AND m.erased_at IS NULL`

const toList = (places: readonly MessageLocator[]): string =>
  JSON.stringify(places.filter(Number.isSafeInteger))

type HeadValues = readonly [
  conversation: number,
  position: number,
  conversationId: string,
  id: string,
  role: Role,
  name: string | null,
  createdAt: number,
  tokens: number,
  importance: string | null,
  topic: number | null,
]

const TOPIC = `(
  SELECT r.topic FROM derivation d CROSS JOIN reading r ON r.place = (d.number << 24) + m.position
  WHERE d.conversation = m.conversation AND d.deriver = '${READER}' AND d.is_active = 1)`

/** Returns one string, since rows would take three times as long. Real numbers are quoted, to keep every bit. */
const selectHeads = (topic: string): string =>
  `SELECT json_group_array(json_array(m.conversation, m.position, c.id, m.id, m.role, m.name, m.created_at,
    m.tokens, iif(m.importance IS NULL, NULL, quote(m.importance)), ${topic})) AS heads ${AT_PLACES}`

const HEADS = selectHeads('NULL')
const HEADS_WITH_TOPICS = selectHeads(TOPIC)

export function readHeads(
  connection: Connection,
  workspace: WorkspaceId,
  { places, includeTopics = true }: MessageMetaOptions & { readonly places: readonly MessageLocator[] },
): readonly MessageMeta[] {
  const sql = includeTopics ? HEADS_WITH_TOPICS : HEADS
  const row = connection.get<{ heads: string }>(sql, toList(places), workspace)
  return (JSON.parse(row?.heads ?? '[]') as HeadValues[]).map(toHead)
}

function toHead(values: HeadValues): MessageMeta {
  const [conversation, position, inConversation, id, role, name, createdAt, tokens, importance, topic] =
    values
  return {
    locator: toLocator(conversation, position),
    id: messageId(id),
    conversationId: conversationId(inConversation),
    role,
    ...(name !== null && { name }),
    createdAt: new Date(createdAt),
    tokens,
    ...(importance !== null && { importance: Number(importance) }),
    ...(topic !== null && { topic }),
  }
}

export function readWordsAt(
  connection: Connection,
  workspace: WorkspaceId,
  places: readonly MessageLocator[],
): readonly LocatedContent[] {
  const rows = connection.all<PlacedRow>(`SELECT ${PLACED_COLUMNS} ${AT_PLACES}`, toList(places), workspace)
  return withWords(connection, rows).map(toPlacedMessage)
}

export function readPlaces(
  connection: Connection,
  workspace: WorkspaceId,
  ids: readonly MessageId[],
): readonly MessageLocator[] {
  const rows = connection.all<{ conversation: number; position: number }>(
    `SELECT m.conversation, m.position FROM workspace w CROSS JOIN json_each(?) s
     CROSS JOIN message m ON m.workspace = w.number AND m.id = s.value WHERE w.id = ? AND m.erased_at IS NULL`,
    JSON.stringify(ids),
    workspace,
  )
  return rows.map(({ conversation, position }) => toLocator(conversation, position))
}
