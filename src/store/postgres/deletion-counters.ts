// Counters of deletions, and numbers of new items. Triggers count deletions per workspace and kind, so that cascades
// are included. A new item gets the next number of its kind; the writer locks the row of the kind until the commit,
// so that numbers become visible in order. Each version is read with one statement, so it describes one moment.

import type { WorkspaceId } from '../../domain/ids.ts'
import type { DerivedKind } from '../derivations.ts'
import { toVersion, type VersionRow } from '../sql/derivations.ts'
import type { Session } from './session.ts'

/** Until the commit, no other transaction adds or removes items of these kinds. */
export async function holdNumbers(
  session: Session,
  workspace: number,
  kinds: Iterable<string>,
): Promise<void> {
  await session.run(
    `INSERT INTO departure (workspace, kind) SELECT $1, n.kind FROM unnest($2::text[]) AS n (kind)
     ON CONFLICT (workspace, kind) DO UPDATE SET last = departure.last`,
    workspace,
    // Sorted, so that two transactions with the same kinds wait for each other instead of deadlocking.
    [...kinds].sort(),
  )
}

const VERSION = `SELECT w.number AS workspace, d.count AS gone, d.last FROM workspace w
  LEFT JOIN departure d ON d.workspace = w.number AND d.kind = $2 WHERE w.id = $1`

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
