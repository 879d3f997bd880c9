import { record } from './0001-record.ts'
import { blocks } from './0002-blocks.ts'
import { derived } from './0002-derived.ts'
import { pages } from './0002-pages.ts'
import { documents } from './0003-documents.ts'
import { keys } from './0003-keys.ts'
import { places } from './0003-places.ts'
import { sketches } from './0003-sketches.ts'

/** In order; the schema version is the index in this list, counted from 1. Released migrations never change. */
export const MIGRATIONS: readonly string[] = [
  record,
  [blocks, pages, derived].join('\n'),
  [places, sketches, documents, keys].join('\n'),
]
