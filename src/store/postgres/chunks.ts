// Chunks and their words. The chunks of a document are a range of index entries.

import { toLocator } from '../../domain/locator.ts'
import { listWords } from '../../domain/words.ts'
import type { DocumentRow } from '../document-rows.ts'
import type { NewChunk } from '../document-store.ts'
import type { WrittenChunks } from '../sql/engine.ts'
import type { Session } from './session.ts'
import { addEntries, type IndexEntry, removeEntries } from './word-index.ts'

export interface IndexedChunk {
  readonly document: number
  readonly position: number
  readonly heading_path: string
  readonly text: string
}

export function chunkEntry({ document, position, heading_path, text }: IndexedChunk): IndexEntry {
  const path: string[] = JSON.parse(heading_path)
  return { number: toLocator(document, position), words: listWords([...path, text].join('\n')) }
}

const AT_ONCE = 256

export async function writeChunks(
  session: Session,
  row: DocumentRow,
  { chunks, onChunks = () => undefined }: WrittenChunks,
): Promise<void> {
  for (let first = 0; first < chunks.length; first += AT_ONCE) {
    await writeSome(session, row, { first, chunks: chunks.slice(first, first + AT_ONCE) })
    onChunks(Math.min(first + AT_ONCE, chunks.length))
  }
  if (chunks.length === 0) onChunks(0)
}

async function writeSome(
  session: Session,
  { workspace, number }: DocumentRow,
  { first, chunks }: { readonly first: number; readonly chunks: readonly NewChunk[] },
): Promise<void> {
  const rows = chunks.map((chunk, i) => ({
    document: number,
    position: first + i,
    heading_path: JSON.stringify(chunk.headingPath),
    text: chunk.text,
  }))
  await session.run(
    `INSERT INTO chunk (workspace, document, position, heading_path, text, tokens, starts_at, ends_at)
     SELECT $1, $2, * FROM unnest($3::int[], $4::text[], $5::text[], $6::int[], $7::bigint[], $8::bigint[])`,
    workspace,
    number,
    rows.map(({ position }) => position),
    rows.map(({ heading_path }) => heading_path),
    rows.map(({ text }) => text),
    chunks.map(({ tokens }) => tokens),
    chunks.map(({ start }) => start),
    chunks.map(({ end }) => end),
  )
  await addEntries(session, { workspace, index: 'chunk' }, rows.map(chunkEntry))
}

/** Yields rows in batches, in order. */
export async function* readChunkRows(
  session: Session,
  { workspace, number }: Pick<DocumentRow, 'workspace' | 'number'>,
): AsyncGenerator<readonly IndexedChunk[]> {
  for (let after = -1; ; ) {
    const rows = await session.all<IndexedChunk>(
      `SELECT document, position, heading_path, text FROM chunk
       WHERE workspace = $1 AND document = $2 AND position > $3 ORDER BY position LIMIT ${AT_ONCE}`,
      workspace,
      number,
      after,
    )
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    after = last.position
  }
}

/** Must run before the chunks are deleted. */
export async function removeChunkWords(session: Session, row: DocumentRow): Promise<void> {
  for await (const rows of readChunkRows(session, row))
    await removeEntries(session, { workspace: row.workspace, index: 'chunk' }, rows.map(chunkEntry))
}
