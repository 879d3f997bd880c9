// Derived data, jobs and edits.

import { deletedEditsCommit, derivationCommit, knowledgeCommit } from '../commits.ts'
import type { DerivationStore } from '../derivations.ts'
import type { EditStore } from '../edits.ts'
import type { JobStore } from '../jobs.ts'
import { areNamedEdits, isNamedItem, type NamedEdits, type NamedItem } from '../named-lists.ts'
import { commitDerivation } from './commit-derivation.ts'
import type { Access, Connection } from './connection.ts'
import { readEditsVersion, readErasureVersion, readItemsVersion } from './deletion-counters.ts'
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
import { listStale } from './stale.ts'

export function toDerivedStore(
  connection: Connection,
  { track, read, write, writeBatched, batch }: Access,
): DerivationStore & JobStore & EditStore {
  const readNamedItem = batch((named: readonly NamedItem[]) => readNamedItems(connection, named))
  const readEditsOf = batch((named: readonly NamedEdits[]) => readNamedEdits(connection, named))
  return {
    erasureVersion: (workspace) => read(() => readErasureVersion(connection, workspace)),
    findDerivation: (key, generation) => read(() => findDerivation(connection, key, generation)),
    derivations: (key) => read(() => listDerivations(connection, key)),
    activeDerivations: (workspace, deriver) => read(() => listActive(connection, workspace, deriver)),
    commitDerivation: (commit) => {
      const work = () => commitDerivation(connection, commit)
      const done = derivationCommit(commit)
      if (commit.finishes !== undefined) return write(work, done)
      const { workspace, conversation, deriver, generation } = commit
      return writeBatched([workspace, conversation, deriver, generation], () => work, done)
    },
    dropDerivation: (key, generation) =>
      write(
        () => dropDerivation(connection, key, generation),
        knowledgeCommit('dropDerivation', key.workspace),
      ),
    derivedItems: (list) =>
      isNamedItem(list) ? readNamedItem(list) : read(() => readItems(connection, list)),
    itemsVersion: ({ workspace, kind }) => read(() => readItemsVersion(connection, workspace, kind)),
    readings: (list) => read(() => readReadings(connection, list)),
    listStale: (wanted) => track(() => listStale(connection, wanted)),

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
      write(
        () => saveEdit(connection, { workspace, edit, ...options }),
        knowledgeCommit('saveEdit', workspace),
      ),
    edits: (list) => (areNamedEdits(list) ? readEditsOf(list) : read(() => readEdits(connection, list))),
    deleteEdits: (workspace, ids) =>
      write(() => deleteEdits(connection, workspace, ids), deletedEditsCommit(workspace)),
    editsVersion: (workspace) => read(() => readEditsVersion(connection, workspace)),
  }
}
