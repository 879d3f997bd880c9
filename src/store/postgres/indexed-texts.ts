// Everything with words in a workspace, kind by kind, as index entries: to rebuild the index and to check it.

import type { PageRow, QueryRow } from '../page-rows.ts'
import { type ConversationRow, type PackedRow, parseContent } from '../rows.ts'
import { withWords } from './blocks.ts'
import { chunkEntry, type IndexedChunk } from './chunks.ts'
import { queryEntry } from './query-words.ts'
import type { Session } from './session.ts'
import { conversationEntry, type IndexEntry, type IndexKey, messageEntry } from './word-index.ts'

const READ_AT_ONCE = 1000

interface MessageText extends PackedRow {
  readonly conversation: number
}

/** Yields entries in batches. */
export async function* readEntries(
  session: Session,
  { workspace, index }: IndexKey,
): AsyncGenerator<IndexEntry[]> {
  switch (index) {
    case 'message':
      for await (const rows of readMessages(session, workspace)) yield rows.map(toMessageEntry)
      break
    case 'conversation':
      for await (const rows of readConversations(session, workspace)) yield rows.map(conversationEntry)
      break
    case 'query':
      for await (const rows of readQueries(session, workspace)) yield rows.map(queryEntry)
      break
    case 'chunk':
      for await (const rows of readChunks(session, workspace)) yield rows.map(chunkEntry)
      break
  }
}

const toMessageEntry = ({ conversation, position, content }: MessageText): IndexEntry =>
  messageEntry(conversation, { position, content: parseContent(content) })

async function* readMessages(session: Session, workspace: number): AsyncGenerator<MessageText[]> {
  for (let conversation = -1, position = -1; ; ) {
    const rows = await session.all<MessageText>(
      `SELECT conversation, position, content, metadata, block FROM message
       WHERE workspace = $1 AND (conversation, position) > ($2::bigint, $3::int) AND erased_at IS NULL
       ORDER BY conversation, position LIMIT ${READ_AT_ONCE}`,
      workspace,
      conversation,
      position,
    )
    const last = rows.at(-1)
    if (last === undefined) return
    conversation = last.conversation
    position = last.position
    yield withWords(session, workspace, rows)
  }
}

async function* readConversations(session: Session, workspace: number): AsyncGenerator<ConversationRow[]> {
  for (let after = -1; ; ) {
    const rows = await session.all<ConversationRow>(
      `SELECT * FROM conversation WHERE workspace = $1 AND number > $2 ORDER BY number LIMIT ${READ_AT_ONCE}`,
      workspace,
      after,
    )
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.number
    yield rows
  }
}

async function* readQueries(session: Session, workspace: number): AsyncGenerator<QueryRow[]> {
  const pages = await session.all<PageRow>('SELECT * FROM page WHERE workspace = $1', workspace)
  for (const page of pages) {
    for (let after = -1; ; ) {
      const rows = await session.all<QueryRow>(
        `SELECT * FROM query WHERE workspace = $1 AND page = $2 AND position > $3 ORDER BY position LIMIT ${READ_AT_ONCE}`,
        workspace,
        page.number,
        after,
      )
      const last = rows.at(-1)
      if (last === undefined) break
      after = last.position
      yield rows
    }
  }
}

async function* readChunks(session: Session, workspace: number): AsyncGenerator<IndexedChunk[]> {
  for (let document = -1, position = -1; ; ) {
    const rows = await session.all<IndexedChunk>(
      `SELECT document, position, heading_path, text FROM chunk
       WHERE workspace = $1 AND (document, position) > ($2::bigint, $3::int) ORDER BY document, position LIMIT ${READ_AT_ONCE}`,
      workspace,
      document,
      position,
    )
    const last = rows.at(-1)
    if (last === undefined) return
    document = last.document
    position = last.position
    yield rows
  }
}
