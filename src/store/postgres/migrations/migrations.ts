import { derived } from './0001-derived.ts'
import { documents } from './0001-documents.ts'
import { keys } from './0001-keys.ts'
import { pages } from './0001-pages.ts'
import { record } from './0001-record.ts'
import { words } from './0001-words.ts'

/** In order: the position in the list, counted from 1, is the schema version. Released migrations never change. */
export const MIGRATIONS: readonly string[] = [[record, words, pages, documents, keys, derived].join('\n')]
