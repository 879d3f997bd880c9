// Finds chunks by their words, within the scope of a lookup.
//
// A few documents are matched by their own words in the scope column of the index. For more documents, the word of
// the workspace is matched and each hit is checked: most of the workspace is then visible, and few hits are
// discarded. The index returns rows by descending number without sorting, so that a common word costs no more than
// the limit.

import type { WorkspaceId } from '../../domain/ids.ts'
import { type MessageLocator, POSITIONS_PER_CONVERSATION } from '../../domain/locator.ts'
import { PLACED_COLUMNS, type PlacedRow, toPlacedChunk } from '../document-rows.ts'
import type { ChunkLookup, PlacedChunk } from '../document-store.ts'
import type { FoundLocators } from '../recall-store.ts'
import { findWorkspace } from '../sql/workspaces.ts'
import type { Connection } from './connection.ts'
import { execute } from './dialect.ts'
import type { SqlValue } from './driver.ts'

/** With more documents, checking each hit is faster than matching them one by one. */
const FEW_DOCUMENTS = 200
/** Maximum number of hits that are counted; beyond it, the total is extrapolated. */
const COUNTED = 2000

const NO_LOCATORS: FoundLocators = { locators: [], count: 0 }

/** The words of a question share one scope, which is read once. */
export function findChunkPlaces(
  connection: Connection,
  lookups: readonly ChunkLookup[],
): readonly FoundLocators[] {
  const scopes = new Map<string, Scope | undefined>()
  return lookups.map((lookup) => {
    const name = JSON.stringify([lookup.workspace, lookup.conversations, lookup.documents])
    const scope = scopes.has(name) ? scopes.get(name) : readScope(connection, lookup)
    scopes.set(name, scope)
    return scope === undefined ? NO_LOCATORS : findInScope(connection, scope, lookup)
  })
}

/** Undefined if no document is visible. */
function readScope(connection: Connection, lookup: ChunkLookup): Scope | undefined {
  const workspace = execute(connection, findWorkspace(lookup.workspace))
  const seen = workspace === undefined ? [] : findSeen(connection, workspace, lookup)
  if (workspace === undefined || seen.length === 0) return undefined
  return seen.length <= FEW_DOCUMENTS ? ofDocuments(seen) : ofWorkspace(workspace, lookup)
}

function findInScope(connection: Connection, scope: Scope, lookup: ChunkLookup): FoundLocators {
  if (lookup.allOf.some((words) => words.length === 0)) return NO_LOCATORS
  const places = find(connection, { ...scope, allOf: lookup.allOf }, lookup.limit)
  if (places.length < lookup.limit) return { locators: places, count: places.length }
  return { locators: places, count: estimate(connection, { ...scope, allOf: lookup.allOf }, places.length) }
}

/** The visible chunks: as words of the index, and as a condition on documents `d`. */
interface Scope {
  readonly words: string
  readonly condition: string
  readonly values: readonly SqlValue[]
}

const ofDocuments = (numbers: readonly number[]): Scope => ({
  words: numbers.map((number) => `"d${number}"`).join(' OR '),
  condition: 'd.number IN (SELECT value FROM json_each(?))',
  values: [JSON.stringify(numbers)],
})

function ofWorkspace(workspace: number, lookup: ChunkLookup): Scope {
  const { condition, values } = seenCondition(lookup)
  return {
    words: `"w${workspace}"`,
    condition: `d.workspace = ? AND ${condition}`,
    values: [workspace, ...values],
  }
}

/** Documents visible to every conversation, and those attached to a requested one. */
function seenCondition({ conversations, documents }: ChunkLookup): { condition: string; values: SqlValue[] } {
  const asked =
    conversations === undefined ? 'c.is_memory_on = 1' : 'c.id IN (SELECT value FROM json_each(?))'
  const attached = `EXISTS (SELECT 1 FROM attachment a JOIN conversation c ON c.number = a.conversation
    WHERE a.workspace = d.workspace AND a.document_id = d.id AND ${asked})`
  const named = documents === undefined ? 'TRUE' : 'd.id IN (SELECT value FROM json_each(?))'
  return {
    condition: `(d.is_workspace_wide = 1 OR ${attached}) AND ${named}`,
    values: [conversations, documents].flatMap((list) => (list === undefined ? [] : [JSON.stringify(list)])),
  }
}

/**
 * The numbers of the visible documents; stops once there are more than `FEW_DOCUMENTS`. Uses indexes, so that a
 * large workspace is not scanned.
 */
function findSeen(connection: Connection, workspace: number, lookup: ChunkLookup): readonly number[] {
  const ask = (sql: string, ...values: readonly SqlValue[]) =>
    connection
      .all<{ number: number }>(`${sql} LIMIT ${FEW_DOCUMENTS + 1}`, ...values)
      .map(({ number }) => number)
  const { conversations, documents } = lookup
  if (documents !== undefined) {
    const { condition, values } = seenCondition(lookup)
    return ask(`${NAMED} WHERE ${condition}`, JSON.stringify(documents), workspace, ...values)
  }
  const wide = ask(WIDE, workspace)
  const attached =
    conversations === undefined
      ? ask(REMEMBERED, workspace)
      : ask(ATTACHED, JSON.stringify(conversations), workspace)
  return [...new Set([...wide, ...attached])]
}

const NAMED = `SELECT DISTINCT d.number FROM json_each(?) named
  CROSS JOIN document d ON d.workspace = ? AND d.id = named.value`
const WIDE = 'SELECT number FROM document WHERE workspace = ? AND is_workspace_wide = 1'
const REMEMBERED = `SELECT DISTINCT d.number FROM attachment a
  CROSS JOIN conversation c ON c.number = a.conversation
  CROSS JOIN document d ON d.workspace = a.workspace AND d.id = a.document_id
  WHERE a.workspace = ? AND c.is_memory_on = 1`
const ATTACHED = `SELECT DISTINCT d.number FROM json_each(?) asked
  CROSS JOIN conversation c ON c.workspace = ? AND c.id = asked.value
  CROSS JOIN attachment a ON a.conversation = c.number
  CROSS JOIN document d ON d.workspace = a.workspace AND d.id = a.document_id`

interface Asked extends Scope {
  readonly allOf: ChunkLookup['allOf']
}

function find(connection: Connection, asked: Asked, limit: number): readonly MessageLocator[] {
  const { allOf, words, condition, values } = asked
  const quoted = allOf.map((group) => `(${group.map((word) => `"${word}"`).join(' OR ')})`)
  const sql =
    allOf.length === 0
      ? `SELECT k.place FROM chunk k CROSS JOIN document d ON d.number = k.place >> 24
         WHERE ${condition} ORDER BY k.place DESC LIMIT ?`
      : `SELECT w.rowid AS place FROM chunk_words w CROSS JOIN document d ON d.number = w.rowid >> 24
         WHERE w.chunk_words MATCH ? AND ${condition} ORDER BY w.rowid DESC LIMIT ?`
  const match = allOf.length === 0 ? [] : [`scope : (${words}) AND words : (${quoted.join(' AND ')})`]
  return connection.all<{ place: MessageLocator }>(sql, ...match, ...values, limit).map(({ place }) => place)
}

/** Counts a sample and extrapolates to the remaining documents. */
function estimate(connection: Connection, asked: Asked, found: number): number {
  const counted = find(connection, asked, Math.max(COUNTED, found))
  const last = counted.at(-1)
  if (counted.length < COUNTED || last === undefined) return counted.length
  const { condition, values } = asked
  const sums = connection.get<{ all: number; covered: number }>(
    `SELECT sum(chunk_count) AS "all",
       sum(CASE WHEN d.number > ?1 THEN chunk_count WHEN d.number = ?1 THEN max(0, chunk_count - ?2) ELSE 0 END) AS covered
     FROM document d WHERE ${condition}`,
    Math.floor(last / POSITIONS_PER_CONVERSATION),
    last % POSITIONS_PER_CONVERSATION,
    ...values,
  )
  const share = (sums?.covered ?? 0) / Math.max(sums?.all ?? 0, 1)
  return share === 0 ? counted.length : Math.round(counted.length / share)
}

export function readChunksAt(
  connection: Connection,
  workspace: WorkspaceId,
  places: readonly MessageLocator[],
): readonly PlacedChunk[] {
  const rows = connection.all<PlacedRow>(
    `SELECT ${PLACED_COLUMNS} FROM json_each(?) p CROSS JOIN chunk k ON k.place = p.value
     CROSS JOIN document d ON d.number = k.place >> 24 JOIN workspace w ON w.number = d.workspace
     WHERE w.id = ? ORDER BY p.key`,
    JSON.stringify(places),
    workspace,
  )
  return rows.map(toPlacedChunk)
}
