// What goes is counted, for each workspace and kind (by triggers, so that no cascade is missed), and what is put gets
// the next number of its kind. Whoever puts holds the row of the kind until the commit, so that numbers become visible
// in their order. Each version is one statement: what it says was true at one moment.

import type { WorkspaceId } from '../../domain/ids.ts'
import type { DerivedKind } from '../derivations.ts'
import type { Session } from './connection.ts'

/** Words that an erase took, and what was made of them. */
export async function noteWordsGone(session: Session, workspace: number): Promise<void> {
  await session.run(
    `INSERT INTO departure (workspace, kind, count) VALUES ($1, 'words', 1)
     ON CONFLICT (workspace, kind) DO UPDATE SET count = departure.count + 1`,
    workspace,
  )
}

/** The first of so many new numbers for each kind. Its row is held, also where none is wanted. */
export async function reserveNumbers(
  session: Session,
  workspace: number,
  wanted: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, number>> {
  if (wanted.size === 0) return new Map()
  // In one order for everybody: two that put the same kinds wait in line.
  const kinds = [...wanted.keys()].sort()
  const rows = await session.all<{ kind: string; last: number }>(
    `INSERT INTO departure (workspace, kind, last) SELECT $1, n.kind, n.wanted FROM unnest($2::text[], $3::bigint[]) AS n (kind, wanted)
     ON CONFLICT (workspace, kind) DO UPDATE SET last = departure.last + excluded.last RETURNING kind, last`,
    workspace,
    kinds,
    kinds.map((kind) => wanted.get(kind) ?? 0),
  )
  return new Map(rows.map(({ kind, last }) => [kind, last - (wanted.get(kind) ?? 0) + 1]))
}

/** The number of the workspace stands in it, since another one may be made under the same id. */
export function toEpoch(workspace: number, gone: number | null): string {
  return `${workspace}:${gone ?? 0}`
}

interface VersionRow {
  readonly workspace: number
  readonly gone: number | null
  readonly last: number | null
}

const VERSION = `SELECT w.number AS workspace, d.count AS gone, d.last FROM workspace w
  LEFT JOIN departure d ON d.workspace = w.number AND d.kind = $2 WHERE w.id = $1`

export async function readEpoch(session: Session, workspace: WorkspaceId): Promise<string> {
  const row = await session.get<VersionRow>(VERSION, workspace, 'words')
  return row === undefined ? '' : toEpoch(row.workspace, row.gone)
}

export async function readEditsVersion(session: Session, workspace: WorkspaceId): Promise<string> {
  return toVersion(await session.get<VersionRow>(VERSION, workspace, 'edit'))
}

export async function readItemsVersion(
  session: Session,
  workspace: WorkspaceId,
  kind: DerivedKind,
): Promise<string> {
  return toVersion(await session.get<VersionRow>(VERSION, workspace, kind))
}

function toVersion(row: VersionRow | undefined): string {
  return row === undefined ? '' : `${toEpoch(row.workspace, row.gone)}:${row.last ?? 0}`
}
