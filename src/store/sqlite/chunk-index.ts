// The word index of chunks. A document is a range of row numbers. The scope column contains its workspace and the
// document itself as words, so that the index can narrow a search to either.
//
// Removing words without a trace is slow (word-index.ts). When a document is replaced, its old words are removed
// the fast way, which hides them but leaves them in the file; this is recorded, and the next erase of a document
// rebuilds the index.

import { POSITIONS_PER_CONVERSATION } from '../../domain/locator.ts'
import type { ChunkRow } from '../document-rows.ts'
import type { OnProgress } from '../store.ts'
import type { Connection } from './connection.ts'
import { addEntry, type IndexEntry, removeEntry, toIndexed } from './word-index.ts'

const HIDDEN_WORDS = 'hidden-chunk-words'
const READ_AT_ONCE = 500

type IndexedChunk = Pick<ChunkRow, 'place' | 'heading_path' | 'text'>

export function chunkEntry(chunk: IndexedChunk, workspace: number): IndexEntry {
  const path: string[] = JSON.parse(chunk.heading_path)
  const document = Math.floor(chunk.place / POSITIONS_PER_CONVERSATION)
  return {
    number: chunk.place,
    words: toIndexed([...path, chunk.text].join('\n')),
    scope: `w${workspace} d${document}`,
  }
}

/** The chunks of a document, read in small batches. */
export function* readChunkRows(connection: Connection, document: number): Generator<ChunkRow> {
  for (let after = document * POSITIONS_PER_CONVERSATION - 1; ; ) {
    const rows = connection.all<ChunkRow>(
      'SELECT * FROM chunk WHERE place > ? AND place < ? ORDER BY place LIMIT ?',
      after,
      (document + 1) * POSITIONS_PER_CONVERSATION,
      READ_AT_ONCE,
    )
    yield* rows
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.place
  }
}

/** Hides the words of a document from searches; they stay in the file. */
export function hideWords(connection: Connection, document: { number: number; workspace: number }): void {
  setSecureDelete(connection, false)
  try {
    for (const row of readChunkRows(connection, document.number)) {
      removeEntry(connection, 'chunk_words', chunkEntry(row, document.workspace))
    }
  } finally {
    setSecureDelete(connection, true)
  }
  connection.run("INSERT OR REPLACE INTO setting (name, value) VALUES (?, 'yes')", HIDDEN_WORDS)
}

/** Inlined in the statement: node:sqlite binds numbers as reals, which this setting does not accept. */
function setSecureDelete(connection: Connection, isOn: boolean): void {
  connection.run(`INSERT INTO chunk_words (chunk_words, rank) VALUES ('secure-delete', ${isOn ? 1 : 0})`)
}

/** Whether the index contains hidden words. */
export function hasHiddenWords(connection: Connection): boolean {
  return connection.get('SELECT 1 FROM setting WHERE name = ?', HIDDEN_WORDS) !== undefined
}

/** Rebuilds the index of chunks. */
export function indexChunks(connection: Connection, onProgress: OnProgress = () => undefined): void {
  connection.run("INSERT INTO chunk_words (chunk_words) VALUES ('delete-all')")
  connection.run('DELETE FROM setting WHERE name = ?', HIDDEN_WORDS)
  const total = countChunks(connection)
  let done = 0
  const documents = connection.all<{ number: number; workspace: number }>(
    'SELECT number, workspace FROM document ORDER BY number',
  )
  for (const { number, workspace } of documents) {
    for (const row of readChunkRows(connection, number)) {
      addEntry(connection, 'chunk_words', chunkEntry(row, workspace))
      done += 1
      if (done % READ_AT_ONCE === 0) onProgress(done, total)
    }
  }
  onProgress(done, total)
}

export function countChunks(connection: Connection): number {
  return connection.get<{ count: number }>('SELECT count(*) AS count FROM chunk')?.count ?? 0
}
