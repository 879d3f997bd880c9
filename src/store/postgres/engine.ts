import type { Engine } from '../sql/engine.ts'
import { takeOut, withWords } from './blocks.ts'
import { removeChunkWords, writeChunks } from './chunks.ts'
import { findConversationsByWords } from './conversation-words.ts'
import { dropChunks, writeDocumentText } from './documents.ts'
import {
  removeConversationWords,
  removeMessageWords,
  removePageWords,
  removeQueryWords,
} from './removed-words.ts'
import type { Session } from './session.ts'
import { addEntries, conversationEntry, removeEntries } from './word-index.ts'

/** What shared work calls on PostgreSQL. */
export const ENGINE: {
  readonly [Method in keyof Engine]: (
    session: Session,
    ...values: Parameters<Engine[Method]>
  ) => Promise<ReturnType<Engine[Method]>>
} = {
  indexConversation: async (session, { before, after }) => {
    const key = { workspace: (after ?? before)?.workspace ?? 0, index: 'conversation' } as const
    if (before !== undefined) await removeEntries(session, key, [conversationEntry(before)])
    if (after !== undefined) await addEntries(session, key, [conversationEntry(after)])
  },
  writeDocumentText,
  writeChunks,
  dropChunks,
  withContents: (session, workspace, rows) => withWords(session, workspace, [...rows]),
  takeOutOfBlock: takeOut,
  expectRemovals: async () => undefined,
  removeMessageWords,
  removeConversationWords,
  removePageWords,
  removeQueryWords,
  removeChunkWords,
  deleteWorkspace: async (session, number) => {
    // Cascades to everything but the index; after that, no other transaction can add to the index.
    await session.run('DELETE FROM workspace WHERE number = $1', number)
    await session.run('DELETE FROM indexed_word WHERE workspace = $1', number)
    return true
  },
  findConversations: async (session, workspace, terms) => ({
    sql: (name) => `c.number = ANY(${name}::bigint[])`,
    value: await findConversationsByWords(session, workspace, terms),
  }),
}
