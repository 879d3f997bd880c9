// Derived data, jobs for models, and edits by people.

import { deletedEditsCommit, derivationCommit, knowledgeCommit } from '../commits.ts'
import type { DerivationStore } from '../derivations.ts'
import type { EditStore } from '../edits.ts'
import type { JobStore } from '../jobs.ts'
import { areNamedEdits, isNamedItem } from '../named-lists.ts'
import { commitDerivation } from './commit-derivation.ts'
import type { Access, Connection } from './connection.ts'
import { readEditsVersion, readErasureVersion, readItemsVersion } from './deletion-counters.ts'
import { dropDerivation, findDerivation, listActive, listDerivations } from './derivations.ts'
import { isWholeList, readItems, readNamedItems, readWholeLists } from './derived-items.ts'
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
  { track, batch, read, write }: Access,
): DerivationStore & JobStore & EditStore {
  const readNamedItem = batch(readNamedItems)
  const readWholeList = batch(readWholeLists)
  const readEditsOf = batch(readNamedEdits)
  return {
    erasureVersion: (workspace) => read((session) => readErasureVersion(session, workspace)),
    findDerivation: (key, generation) => read((session) => findDerivation(session, key, generation)),
    derivations: (key) => read((session) => listDerivations(session, key)),
    activeDerivations: (workspace, deriver) => read((session) => listActive(session, workspace, deriver)),
    commitDerivation: (commit) =>
      write((session) => commitDerivation(session, commit), derivationCommit(commit)),
    dropDerivation: (key, generation) =>
      write(
        (session) => dropDerivation(session, key, generation),
        knowledgeCommit('dropDerivation', key.workspace),
      ),
    derivedItems: (list) => {
      if (isNamedItem(list)) return readNamedItem(list)
      return isWholeList(list) ? readWholeList(list) : read((session) => readItems(session, list))
    },
    itemsVersion: ({ workspace, kind }) => read((session) => readItemsVersion(session, workspace, kind)),
    readings: (list) => read((session) => readReadings(session, list)),
    listStale: (wanted) => track(() => listStale(connection, wanted)),

    addJobs: (key, jobs, now) => write((session) => addJobs(session, key, { jobs, now })),
    claimJob: (request) => write((session) => claimJob(session, request)),
    nextJobAt: (kinds) => read((session) => nextJobAt(session, kinds)),
    finishJob: (ticket) => write((session) => finishJob(session, ticket)),
    failJob: (ticket, failure) => write((session) => failJob(session, ticket, failure)),
    releaseJob: (ticket) => write((session) => releaseJob(session, ticket)),
    renewJob: (ticket, until) => write((session) => renewJob(session, ticket, until)),
    jobs: (list) => read((session) => listJobs(session, list)),
    reviveJobs: (workspace, now) => write((session) => reviveJobs(session, workspace, now)),
    countJobs: (workspace) => read((session) => countJobs(session, workspace)),

    saveEdit: (workspace, edit, options) =>
      write(
        (session) => saveEdit(session, { workspace, edit, ...options }),
        knowledgeCommit('saveEdit', workspace),
      ),
    edits: (list) => (areNamedEdits(list) ? readEditsOf(list) : read((session) => readEdits(session, list))),
    deleteEdits: (workspace, ids) =>
      write((session) => deleteEdits(session, workspace, ids), deletedEditsCommit(workspace)),
    editsVersion: (workspace) => read((session) => readEditsVersion(session, workspace)),
  }
}
