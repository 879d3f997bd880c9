// What is worked out from messages, work for models, and what people said about it.

import type { DerivationStore } from '../derivations.ts'
import type { EditStore } from '../edits.ts'
import type { JobStore } from '../jobs.ts'
import { areNamedEdits, isNamedItem, type NamedEdits, type NamedItem } from '../named-lists.ts'
import type { Access } from './access.ts'
import { commitDerivation } from './commit-derivation.ts'
import type { Connection } from './connection.ts'
import { readEditsVersion, readEpoch, readItemsVersion } from './departures.ts'
import { dropDerivation, findDerivation, listActive, listDerivations } from './derivations.ts'
import { readItems, readNamedItems } from './derived-items.ts'
import { deleteEdits, readEdits, readNamedEdits, saveEdit } from './edits.ts'
import {
  addJobs,
  claimJob,
  countJobs,
  failJob,
  finishJob,
  listJobs,
  nextJobAt,
  releaseJob,
  renewJob,
  reviveJobs,
} from './jobs.ts'
import { readReadings } from './readings.ts'
import { findUnderived } from './unread.ts'

export function toDerivedStore(
  connection: Connection,
  { enter, read, write, writeApart, together }: Access,
): DerivationStore & JobStore & EditStore {
  const readNamedItem = together((named: readonly NamedItem[]) => readNamedItems(connection, named))
  const readEditsOf = together((named: readonly NamedEdits[]) => readNamedEdits(connection, named))
  return {
    epoch: (workspace) => read(() => readEpoch(connection, workspace)),
    findDerivation: (key, generation) => read(() => findDerivation(connection, key, generation)),
    derivations: (key) => read(() => listDerivations(connection, key)),
    activeDerivations: (workspace, deriver) => read(() => listActive(connection, workspace, deriver)),
    commitDerivation: (commit) => {
      const work = () => commitDerivation(connection, commit)
      if (commit.finishes !== undefined) return write(work)
      const { workspace, conversation, deriver, generation } = commit
      return writeApart([workspace, conversation, deriver, generation], () => work)
    },
    dropDerivation: (key, generation) => write(() => dropDerivation(connection, key, generation)),
    derivedItems: (list) =>
      isNamedItem(list) ? readNamedItem(list) : read(() => readItems(connection, list)),
    itemsVersion: ({ workspace, kind }) => read(() => readItemsVersion(connection, workspace, kind)),
    readings: (list) => read(() => readReadings(connection, list)),
    underived: (wanted) => enter(() => findUnderived(connection, wanted)),

    addJobs: (key, jobs, now) => write(() => addJobs(connection, key, { jobs, now })),
    claimJob: (request) => write(() => claimJob(connection, request)),
    nextJobAt: (kinds) => read(() => nextJobAt(connection, kinds)),
    finishJob: (ticket) => write(() => finishJob(connection, ticket)),
    failJob: (ticket, failure) => write(() => failJob(connection, ticket, failure)),
    releaseJob: (ticket) => write(() => releaseJob(connection, ticket)),
    renewJob: (ticket, until) => write(() => renewJob(connection, ticket, until)),
    jobs: (list) => read(() => listJobs(connection, list)),
    reviveJobs: (workspace, now) => write(() => reviveJobs(connection, workspace, now)),
    countJobs: (workspace) => read(() => countJobs(connection, workspace)),

    saveEdit: (workspace, edit, options) =>
      write(() => saveEdit(connection, { workspace, edit, ...options })),
    edits: (list) => (areNamedEdits(list) ? readEditsOf(list) : read(() => readEdits(connection, list))),
    deleteEdits: (workspace, ids) => write(() => deleteEdits(connection, workspace, ids)),
    editsVersion: (workspace) => read(() => readEditsVersion(connection, workspace)),
  }
}
