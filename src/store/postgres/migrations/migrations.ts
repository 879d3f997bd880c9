import { derived, documents, keys, pages, record, words } from './0001-record.ts'
import { queryablePages } from './0002-queryable-pages.ts'

/** In order: the position in the list, counted from 1, is the schema version. Released migrations never change. */
export const MIGRATIONS: readonly string[] = [
  [record, words, pages, documents, keys, derived].join('\n'),
  queryablePages,
]
