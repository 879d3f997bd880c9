// What goes is counted, for each workspace and kind (by triggers, so that no cascade is missed). Numbers only
// grow while nothing goes, so that the count and the highest number change whenever a list does. Each is one
// statement: what it says was true at one moment.

import type { WorkspaceId } from '../../domain/ids.ts'
import type { DerivedKind } from '../derivations.ts'
import type { Connection } from './connection.ts'

/** Words that an erase took, and what was made of them. */
export function countErasure(connection: Connection, workspace: number): void {
  connection.run(
    "INSERT INTO departure VALUES (?, 'words', 1) ON CONFLICT DO UPDATE SET count = count + 1",
    workspace,
  )
}

/** The number of the workspace stands in it, since another one may be made under the same id. */
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
