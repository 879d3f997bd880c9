// Counts removals per workspace and kind (with triggers, so that cascades are included). Row numbers only grow
// while nothing is removed, so the count and the highest number together change whenever a list does. Each version
// is read in one statement, and so from one state of the file.

import type { WorkspaceId } from '../../domain/ids.ts'
import type { DerivedKind } from '../derivations.ts'
import { toVersion, type VersionRow } from '../sql/derivations.ts'
import type { Connection } from './connection.ts'

const GONE =
  'SELECT w.number AS workspace, (SELECT count FROM departure WHERE workspace = w.number AND kind = ?) AS gone'

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
