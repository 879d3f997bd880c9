// Derived data, jobs for models, and edits by people.

import { derivationCommit } from '../commits.ts'
import type { DerivationStore } from '../derivations.ts'
import type { EditStore } from '../edits.ts'
import type { JobStore } from '../jobs.ts'
import { areNamedEdits, isNamedItem } from '../named-lists.ts'
import { toDerivationStore } from '../sql/derivations.ts'
import { readEdits, toEditStore } from '../sql/edits.ts'
import { toJobStore } from '../sql/jobs.ts'
import type { SqlAccess } from '../sql/statement.ts'
import { commitDerivation } from './commit-derivation.ts'
import type { Access, Connection } from './connection.ts'
import { readEditsVersion, readItemsVersion } from './deletion-counters.ts'
import { isWholeList, readItems, readNamedItems, readWholeLists } from './derived-items.ts'
import { readNamedEdits } from './edits.ts'
import { claimJob, nextJobAt } from './jobs.ts'
import { readReadings } from './readings.ts'
import { listStale } from './stale.ts'

export function toDerivedStore(
  connection: Connection,
  { track, batch, read, write }: Access,
  sql: SqlAccess,
): DerivationStore & JobStore & EditStore {
  const readNamedItem = batch(readNamedItems)
  const readWholeList = batch(readWholeLists)
  const readEditsOf = batch(readNamedEdits)
  return {
    ...toDerivationStore(sql),
    commitDerivation: (commit) =>
      write((session) => commitDerivation(session, commit), derivationCommit(commit)),
    derivedItems: (list) => {
      if (isNamedItem(list)) return readNamedItem(list)
      return isWholeList(list) ? readWholeList(list) : read((session) => readItems(session, list))
    },
    itemsVersion: ({ workspace, kind }) => read((session) => readItemsVersion(session, workspace, kind)),
    readings: (list) => read((session) => readReadings(session, list)),
    listStale: (wanted) => track(() => listStale(connection, wanted)),

    ...toJobStore(sql),
    claimJob: (request) => write((session) => claimJob(session, request)),
    nextJobAt: (kinds) => read((session) => nextJobAt(session, kinds)),

    ...toEditStore(sql),
    edits: (list) => (areNamedEdits(list) ? readEditsOf(list) : sql.read(() => readEdits(list))),
    editsVersion: (workspace) => read((session) => readEditsVersion(session, workspace)),
  }
}
