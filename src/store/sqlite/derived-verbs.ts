// Derived data, jobs and edits.

import { derivationCommit } from '../commits.ts'
import type { DerivationStore } from '../derivations.ts'
import type { EditStore } from '../edits.ts'
import type { JobStore } from '../jobs.ts'
import { areNamedEdits, isNamedItem, type NamedEdits, type NamedItem } from '../named-lists.ts'
import { toDerivationStore } from '../sql/derivations.ts'
import { readEdits, toEditStore } from '../sql/edits.ts'
import { toJobStore } from '../sql/jobs.ts'
import type { SqlAccess } from '../sql/statement.ts'
import { commitDerivation } from './commit-derivation.ts'
import type { Access, Connection } from './connection.ts'
import { readEditsVersion, readItemsVersion } from './deletion-counters.ts'
import { readItems, readNamedItems } from './derived-items.ts'
import { readNamedEdits } from './edits.ts'
import { claimJob, nextJobAt } from './jobs.ts'
import { readReadings } from './readings.ts'
import { listStale } from './stale.ts'

export function toDerivedStore(
  connection: Connection,
  { track, read, write, writeBatched, batch }: Access,
  sql: SqlAccess,
): DerivationStore & JobStore & EditStore {
  const readNamedItem = batch((named: readonly NamedItem[]) => readNamedItems(connection, named))
  const readEditsOf = batch((named: readonly NamedEdits[]) => readNamedEdits(connection, named))
  return {
    ...toDerivationStore(sql),
    commitDerivation: (commit) => {
      const work = () => commitDerivation(connection, commit)
      const done = derivationCommit(commit)
      if (commit.finishes !== undefined) return write(work, done)
      const { workspace, conversation, deriver, generation } = commit
      return writeBatched([workspace, conversation, deriver, generation], () => work, done)
    },
    derivedItems: (list) =>
      isNamedItem(list) ? readNamedItem(list) : read(() => readItems(connection, list)),
    itemsVersion: ({ workspace, kind }) => read(() => readItemsVersion(connection, workspace, kind)),
    readings: (list) => read(() => readReadings(connection, list)),
    listStale: (wanted) => track(() => listStale(connection, wanted)),

    ...toJobStore(sql),
    claimJob: (request) => sql.write(() => claimJob(request)),
    nextJobAt: (kinds) => sql.read(() => nextJobAt(kinds)),

    ...toEditStore(sql),
    edits: (list) => (areNamedEdits(list) ? readEditsOf(list) : sql.read(() => readEdits(list))),
    editsVersion: (workspace) => read(() => readEditsVersion(connection, workspace)),
  }
}
