// The word index of queries. A page is a range of row numbers, so that a search within a page only needs the two
// ends of the range.

import { searchableText } from '../../domain/page.ts'
import { type QueryRow, toWords, type WordColumns } from '../page-rows.ts'
import type { OnProgress } from '../store.ts'
import type { Connection } from './connection.ts'
import { addEntry, type IndexEntry, toIndexed } from './word-index.ts'

/** 134 million queries per page, and 67 million pages before numbers are no longer exact. */
export const QUERIES_PER_PAGE: number = 2 ** 27

type IndexedRow = WordColumns & Pick<QueryRow, 'number' | 'workspace'>

export const numberOf = (page: number, position: number): number => page * QUERIES_PER_PAGE + position
export const positionOf = (number: number): number => number % QUERIES_PER_PAGE

export function queryEntry(row: IndexedRow): IndexEntry {
  return { number: row.number, words: toIndexed(searchableText(toWords(row))), scope: `w${row.workspace}` }
}

const READ_AT_ONCE = 1000

/** Rebuilds the index of queries. */
export function indexQueries(connection: Connection, onProgress: OnProgress = () => undefined): void {
  connection.run("INSERT INTO query_words (query_words) VALUES ('delete-all')")
  const total = countQueries(connection)
  let done = 0
  for (let after = -1; ; ) {
    const rows = connection.all<IndexedRow>(
      'SELECT number, workspace, query, sql, response FROM query WHERE number > ? ORDER BY number LIMIT ?',
      after,
      READ_AT_ONCE,
    )
    for (const row of rows) addEntry(connection, 'query_words', queryEntry(row))
    done += rows.length
    onProgress(done, total)
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.number
  }
}

export function countQueries(connection: Connection): number {
  return connection.get<{ count: number }>('SELECT count(*) AS count FROM query')?.count ?? 0
}
