import type { Engine } from '../sql/engine.ts'
import { takeOut, withWords } from './blocks.ts'
import type { Connection } from './connection.ts'
import { dropChunks, writeChunks, writeDocumentText } from './documents.ts'
import {
  expectRemovals,
  removeChunkWords,
  removeConversationWords,
  removeMessageWords,
  removePageWords,
  removeQueryWords,
} from './removed-words.ts'
import { addEntry, conversationEntry, matchInWorkspace, removeEntry, toMatch } from './word-index.ts'

/** What shared work calls on SQLite. */
export const ENGINE: {
  readonly [Method in keyof Engine]: (
    connection: Connection,
    ...values: Parameters<Engine[Method]>
  ) => ReturnType<Engine[Method]>
} = {
  indexConversation: (connection, { before, after }) => {
    if (before !== undefined) removeEntry(connection, 'conversation_words', conversationEntry(before))
    if (after !== undefined) addEntry(connection, 'conversation_words', conversationEntry(after))
  },
  writeDocumentText,
  writeChunks,
  dropChunks,
  withContents: (connection, _workspace, rows) => withWords(connection, [...rows]),
  takeOutOfBlock: (connection, message) => takeOut(connection, message.number),
  expectRemovals,
  removeMessageWords,
  removeConversationWords,
  removePageWords,
  removeQueryWords,
  removeChunkWords,
  deleteWorkspace: () => false,
  findConversations: (_connection, workspace, terms) => ({
    sql: (name) =>
      `c.number IN (SELECT rowid FROM conversation_words WHERE conversation_words MATCH ${name})`,
    value: matchInWorkspace(toMatch(terms), workspace),
  }),
}
