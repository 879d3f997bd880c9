// Finds chunks by their words, among the documents that a question may see. A few documents are looked up as ranges
// of the index. With more, most of the workspace is visible, so all of it is searched and each hit is checked.

import type { WorkspaceId } from '../../domain/ids.ts'
import { type MessageLocator, POSITIONS_PER_CONVERSATION, toLocator } from '../../domain/locator.ts'
import { type PlacedRow, toPlacedChunk } from '../document-rows.ts'
import type { ChunkLookup, PlacedChunk } from '../document-store.ts'
import type { FoundLocators } from '../recall-store.ts'
import { Conditions } from '../sql/statement.ts'
import { chunkEntry, type IndexedChunk } from './chunks.ts'
import { PLACED_COLUMNS } from './documents.ts'
import { EVERYWHERE, findEntries, takeEntries } from './find-entries.ts'
import { toPlaceColumns } from './message-words.ts'
import type { Session } from './session.ts'
import type { EntryRange } from './word-rows.ts'
import { toTerm } from './word-terms.ts'

/** With more documents, checking each hit is faster than looking up each document. */
const FEW_DOCUMENTS = 200
/** Up to this number, hits are counted exactly; beyond it, the total is estimated. */
const COUNTED = 2000

const NO_LOCATORS: FoundLocators = { locators: [], count: 0 }

interface Asked {
  readonly workspace: WorkspaceId
  readonly lookup: ChunkLookup
  readonly ranges: readonly EntryRange[]
}

export async function findChunkPlaces(
  session: Session,
  lookup: ChunkLookup,
  seen: readonly number[],
): Promise<FoundLocators> {
  const { workspace } = lookup
  if (seen.length === 0 || lookup.allOf.some((words) => words.length === 0)) return NO_LOCATORS
  const ranges = seen.length <= FEW_DOCUMENTS ? seen.map(rangeOf) : EVERYWHERE
  const places = await find(session, { workspace, lookup, ranges }, Math.max(lookup.limit, COUNTED))
  const shown = places.slice(0, lookup.limit)
  if (places.length < Math.max(lookup.limit, COUNTED)) return { locators: shown, count: places.length }
  return { locators: shown, count: await estimate(session, { workspace, lookup, ranges }, places) }
}

const rangeOf = (document: number): EntryRange => ({
  first: toLocator(document, 0),
  last: toLocator(document + 1, 0) - 1,
})

/** Documents that are visible to the whole workspace, or attached to one of the conversations. */
function seenConditions({ workspace, lookup }: Pick<Asked, 'workspace' | 'lookup'>): Conditions {
  const { conversations, documents } = lookup
  const conditions = new Conditions()
  conditions.add((value) => `d.workspace = (SELECT number FROM workspace WHERE id = ${value})`, workspace)
  const attached = (asked: string) => `(d.is_workspace_wide OR EXISTS (SELECT 1 FROM attachment a
    JOIN conversation c ON c.workspace = a.workspace AND c.number = a.conversation
    WHERE a.workspace = d.workspace AND a.document_id = d.id AND ${asked}))`
  if (conversations === undefined) conditions.add(() => attached('c.is_memory_on'))
  else conditions.add((value) => attached(`c.id = ANY(${value}::text[])`), conversations)
  if (documents !== undefined) conditions.add((value) => `d.id = ANY(${value}::text[])`, documents)
  return conditions
}

/**
 * The numbers of visible documents, highest first: all of them, or `FEW_DOCUMENTS` + 1 if there are more. The words
 * of a question share one scope, so each scope is read only once.
 */
export async function findSeen(
  session: Session,
  lookups: readonly ChunkLookup[],
): Promise<readonly (readonly number[])[]> {
  const known = new Map<string, readonly number[]>()
  const seen: (readonly number[])[] = []
  for (const lookup of lookups) {
    const scope = JSON.stringify([lookup.workspace, lookup.conversations, lookup.documents])
    const numbers = known.get(scope) ?? (await findSeenOf(session, lookup))
    known.set(scope, numbers)
    seen.push(numbers)
  }
  return seen
}

async function findSeenOf(session: Session, lookup: ChunkLookup): Promise<readonly number[]> {
  const conditions = seenConditions({ workspace: lookup.workspace, lookup })
  const rows = await session.all<{ number: number }>(
    `SELECT d.number FROM document d WHERE ${conditions.sql} ORDER BY d.number DESC LIMIT ${FEW_DOCUMENTS + 1}`,
    ...conditions.values,
  )
  return rows.map(({ number }) => number)
}

async function find(session: Session, asked: Asked, limit: number): Promise<readonly MessageLocator[]> {
  if (asked.lookup.allOf.length === 0) return findAll(session, asked, limit)
  const entries = findEntries(session, {
    workspace: asked.workspace,
    index: 'chunk',
    groups: asked.lookup.allOf.map((group) => group.map(toTerm)),
    ranges: asked.ranges,
    wanted: limit,
    readWords: (places) => readWords(session, asked.workspace, places),
  })
  const isSeen = asked.ranges === EVERYWHERE ? filterSeen(session, asked) : undefined
  return (await takeEntries(entries, limit, isSeen)) as readonly MessageLocator[]
}

/** All visible chunks, whatever their words. */
async function findAll(session: Session, asked: Asked, limit: number): Promise<readonly MessageLocator[]> {
  const conditions = seenConditions(asked)
  const rows = await session.all<{ document: number; position: number }>(
    `SELECT k.document, k.position FROM document d
     JOIN chunk k ON k.workspace = d.workspace AND k.document = d.number
     WHERE ${conditions.sql} ORDER BY k.document DESC, k.position DESC LIMIT ${limit}`,
    ...conditions.values,
  )
  return rows.map(({ document, position }) => toLocator(document, position))
}

function filterSeen(session: Session, asked: Asked) {
  return async (places: readonly number[]): Promise<readonly number[]> => {
    const documentOf = (place: number) => Math.floor(place / POSITIONS_PER_CONVERSATION)
    const conditions = seenConditions(asked)
    const documents = [...new Set(places.map(documentOf))]
    conditions.add((value) => `d.number = ANY(${value}::bigint[])`, documents)
    const rows = await session.all<{ number: number }>(
      `SELECT d.number FROM document d WHERE ${conditions.sql}`,
      ...conditions.values,
    )
    const seen = new Set(rows.map(({ number }) => number))
    return places.filter((place) => seen.has(documentOf(place)))
  }
}

async function readWords(
  session: Session,
  workspace: WorkspaceId,
  places: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const rows = await session.all<IndexedChunk>(
    `SELECT k.document, k.position, k.heading_path, k.text
     FROM unnest($2::bigint[], $3::int[]) AS s (document, position)
     JOIN chunk k ON k.workspace = (SELECT number FROM workspace WHERE id = $1) AND k.document = s.document
       AND k.position = s.position`,
    workspace,
    ...toPlaceColumns(places),
  )
  return new Map(rows.map(chunkEntry).map(({ number, words }) => [number, words]))
}

/** Assumes that the remaining documents have as many hits as those already searched. */
async function estimate(session: Session, asked: Asked, counted: readonly MessageLocator[]): Promise<number> {
  const last = counted.at(-1) ?? 0
  const conditions = seenConditions(asked)
  const names: string[] = []
  conditions.add(
    (document, position) => {
      names.push(document, position)
      return `${document}::bigint IS NOT NULL AND ${position}::bigint IS NOT NULL`
    },
    Math.floor(last / POSITIONS_PER_CONVERSATION),
    last % POSITIONS_PER_CONVERSATION,
  )
  const [document, position] = names
  const sums = await session.get<{ all: number; covered: number }>(
    `SELECT sum(d.chunk_count) AS all, sum(CASE WHEN d.number > ${document}::bigint THEN d.chunk_count
       WHEN d.number = ${document}::bigint THEN greatest(0, d.chunk_count - ${position}::bigint) ELSE 0 END) AS covered
     FROM document d WHERE ${conditions.sql}`,
    ...conditions.values,
  )
  const share = (sums?.covered ?? 0) / Math.max(sums?.all ?? 0, 1)
  return share === 0 ? counted.length : Math.round(counted.length / share)
}

export async function readChunksAt(
  session: Session,
  workspace: WorkspaceId,
  places: readonly MessageLocator[],
): Promise<readonly PlacedChunk[]> {
  if (places.length === 0) return []
  const rows = await session.all<PlacedRow>(
    `SELECT ${PLACED_COLUMNS} FROM unnest($2::bigint[], $3::int[]) WITH ORDINALITY AS s (document, position, at)
     JOIN workspace w ON w.id = $1 JOIN document d ON d.workspace = w.number AND d.number = s.document
     JOIN chunk k ON k.workspace = d.workspace AND k.document = d.number AND k.position = s.position ORDER BY s.at`,
    workspace,
    ...toPlaceColumns(places.filter(Number.isSafeInteger)),
  )
  return rows.map(toPlacedChunk)
}
