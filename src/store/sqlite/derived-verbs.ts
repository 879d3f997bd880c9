// Derived data, jobs and edits.

import { byKey } from '../batch.ts'
import { derivationCommit } from '../commits.ts'
import type { DerivationStore } from '../derivations.ts'
import type { Edit, EditStore } from '../edits.ts'
import { areNamedEdits, isNamedItem, type NamedEdits, type NamedItem } from '../item-rows.ts'
import type { JobStore } from '../jobs.ts'
import { toDerivationStore } from '../sql/derivations.ts'
import { type EditRow, readEdits, toEdit, toEditStore } from '../sql/edits.ts'
import { toJobStore } from '../sql/jobs.ts'
import type { SqlAccess } from '../sql/statement.ts'
import { commitDerivation } from './commit-derivation.ts'
import type { Access, Connection } from './connection.ts'
import { readEditsVersion, readItems, readItemsVersion, readNamedItems } from './derived-items.ts'
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

const NAMED_EDITS = `SELECT s.key + 1 AS at, e.*, c.id AS conversation_id FROM json_each(?) s
  CROSS JOIN workspace w ON w.id = s.value ->> 0
  CROSS JOIN conversation c ON c.workspace = w.number AND c.id = s.value ->> 1
  CROSS JOIN json_each(s.value, '$[3]') k
  CROSS JOIN edit e ON e.workspace = w.number AND e.kind = k.value AND e.conversation = c.number
    AND e.key = s.value ->> 2
  ORDER BY e.number`

/** In one statement, like `readNamedItems`. */
export function readNamedEdits(
  connection: Connection,
  named: readonly NamedEdits[],
): readonly (readonly Edit[])[] {
  const names = named.map(({ workspace, conversation, key, kinds }) => [workspace, conversation, key, kinds])
  const rows = connection.all<EditRow & { readonly at: number }>(NAMED_EDITS, JSON.stringify(names))
  return byKey(named.length, rows).map((own) => own.map(toEdit))
}
