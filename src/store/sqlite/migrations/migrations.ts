import { record } from './0001-record.ts'
import { blocks, derived, pages } from './0002-derived.ts'
import { documents, keys, places, sketches } from './0003-documents.ts'
import { activeFileMetadata } from './0004-active-file-metadata.ts'

/** In order; the schema version is the index in this list, counted from 1. Released migrations never change. */
export const MIGRATIONS: readonly string[] = [
  record,
  [blocks, pages, derived].join('\n'),
  [places, sketches, documents, keys].join('\n'),
  activeFileMetadata,
]
