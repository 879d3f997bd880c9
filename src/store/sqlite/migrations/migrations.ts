import { record } from './0001-record.ts'
import { pages } from './0003-pages.ts'

/** In order; the place in the list, counted from 1, is the schema version. Released ones never change. */
export const MIGRATIONS: readonly string[] = [record, pages]
