// Counts removals per workspace and kind (with triggers, so that cascades are included). Row numbers only grow
// while nothing is removed, so the count and the highest number together change whenever a list does. Each version
// is read in one statement, and so from one state of the file.

import type { WorkspaceId } from '../../domain/ids.ts'
import type { DerivedKind } from '../derivations.ts'
import type { Connection } from './connection.ts'

/** Counts an erase of text and of what was derived from it. */
export function countErasure(connection: Connection, workspace: number): void {
  connection.run(
    "INSERT INTO departure VALUES (?, 'words', 1) ON CONFLICT DO UPDATE SET count = count + 1",
    workspace,
  )
}

/** Includes the number of the workspace, since another one may be created under the same id. */
export function toErasureVersion(workspace: number, gone: number | null): string {
  return `${workspace}:${gone ?? 0}`
}

interface VersionRow {
  readonly workspace: number
  readonly gone: number | null
  readonly last: number | null
}

const GONE =
  'SELECT w.number AS workspace, (SELECT count FROM departure WHERE workspace = w.number AND kind = ?) AS gone'

export function readErasureVersion(connection: Connection, workspace: WorkspaceId): string {
  const row = connection.get<VersionRow>(`${GONE} FROM workspace w WHERE w.id = ?`, 'words', workspace)
  return row === undefined ? '' : toErasureVersion(row.workspace, row.gone)
}

export function readEditsVersion(connection: Connection, workspace: WorkspaceId): string {
  const last = '(SELECT max(number) FROM edit WHERE workspace = w.number) AS last'
  return toVersion(
    connection.get<VersionRow>(`${GONE}, ${last} FROM workspace w WHERE w.id = ?`, 'edit', workspace),
  )
}

export function readItemsVersion(connection: Connection, workspace: WorkspaceId, kind: DerivedKind): string {
  const last = '(SELECT max(ordinal) FROM derived WHERE workspace = w.number AND kind = ?) AS last'
  return toVersion(
    connection.get<VersionRow>(`${GONE}, ${last} FROM workspace w WHERE w.id = ?`, kind, kind, workspace),
  )
}

function toVersion(row: VersionRow | undefined): string {
  return row === undefined ? '' : `${toErasureVersion(row.workspace, row.gone)}:${row.last ?? 0}`
}
