// The words of queries. The queries of a page are a range of index entries.

import { type MessageLocator, positionOf, toLocator } from '../../domain/locator.ts'
import { searchableText } from '../../domain/page.ts'
import { listWords } from '../../domain/words.ts'
import { type PageRow, toWords, type WordColumns } from '../page-rows.ts'
import type { WordSearch } from '../page-store.ts'
import { findEntries, takeEntries } from './find-entries.ts'
import type { Session } from './session.ts'
import type { IndexEntry } from './word-index.ts'
import { type Term, toTerm } from './word-terms.ts'

type IndexedQuery = WordColumns & { readonly page: number; readonly position: number }

export function queryEntry(row: IndexedQuery): IndexEntry {
  return { number: toLocator(row.page, row.position), words: listWords(searchableText(toWords(row))) }
}

/** The positions of the newest queries that have a word, newest first. */
export async function findWordPositions(
  session: Session,
  page: PageRow,
  { word, withAnyOf, limit }: Pick<WordSearch, 'withAnyOf' | 'limit'> & { readonly word: string },
): Promise<readonly number[]> {
  const groups: readonly (readonly Term[])[] = [
    [toTerm(word)],
    ...(withAnyOf === undefined ? [] : [withAnyOf.map(toTerm)]),
  ]
  const entries = findEntries(session, {
    workspace: page.workspace,
    index: 'query',
    groups,
    ranges: [{ first: toLocator(page.number, 0), last: toLocator(page.number + 1, 0) - 1 }],
    wanted: limit,
    readWords: (numbers) => readWords(session, page, numbers),
  })
  return (await takeEntries(entries, limit)).map((number) => positionOf(number as MessageLocator))
}

async function readWords(
  session: Session,
  page: PageRow,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const rows = await session.all<IndexedQuery>(
    `SELECT page, position, query, sql, response FROM query
     WHERE workspace = $1 AND page = $2 AND position = ANY($3::int[])`,
    page.workspace,
    page.number,
    numbers.map((number) => positionOf(number as MessageLocator)),
  )
  return new Map(rows.map(queryEntry).map(({ number, words }) => [number, words]))
}
