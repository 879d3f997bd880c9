import { type PackedRow, parseContent } from '../rows.ts'
import type { OnProgress } from '../store.ts'
import { withWords } from './blocks.ts'
import type { Connection } from './connection.ts'
import { addEntry, messageEntry } from './word-index.ts'

const READ_AT_ONCE = 1000

/**
 * Rebuilds the index of messages in the order of its row numbers: otherwise FTS5 writes a segment for each step
 * back.
 */
export function indexMessages(connection: Connection, onProgress: OnProgress = () => undefined): void {
  connection.run("INSERT INTO message_words (message_words) VALUES ('delete-all')")
  const total = connection.get<{ count: number }>('SELECT count(*) AS count FROM message')?.count ?? 0
  let done = 0
  for (let after: Pick<IndexedRow, 'conversation' | 'position'> = { conversation: -1, position: -1 }; ; ) {
    const rows = connection.all<IndexedRow>(
      `SELECT workspace, conversation, position, content, metadata, erased_at, block FROM message
       WHERE (conversation, position) > (?, ?) ORDER BY conversation, position LIMIT ?`,
      after.conversation,
      after.position,
      READ_AT_ONCE,
    )
    for (const row of withWords(connection, rows)) {
      if (row.erased_at !== null) continue
      addEntry(connection, 'message_words', messageEntry({ ...row, content: parseContent(row.content) }))
    }
    done += rows.length
    onProgress(done, total)
    const last = rows.at(-1)
    if (last === undefined) return
    after = last
  }
}

interface IndexedRow extends PackedRow {
  readonly workspace: number
  readonly conversation: number
  readonly erased_at: number | null
}
