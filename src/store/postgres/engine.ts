import type { Engine } from '../sql/engine.ts'
import { writeChunks } from './chunks.ts'
import { findConversationsByWords } from './conversation-words.ts'
import { dropChunks, writeDocumentText } from './documents.ts'
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
  findConversations: async (session, workspace, terms) => ({
    sql: (name) => `c.number = ANY(${name}::bigint[])`,
    value: await findConversationsByWords(session, workspace, terms),
  }),
}
