// What is worked out from messages, work for models, and what people said about it.

import type { DerivationStore } from '../derivations.ts'
import type { EditStore } from '../edits.ts'
import type { JobStore } from '../jobs.ts'
import { areNamedEdits, isNamedItem } from '../named-lists.ts'
import type { Access } from './access.ts'
import { commitDerivation } from './commit-derivation.ts'
import type { Connection } from './connection.ts'
import { readEditsVersion, readEpoch, readItemsVersion } from './departures.ts'
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
import { findUnderived } from './unread.ts'

export function toDerivedStore(
  connection: Connection,
  { enter, gathered, read, write }: Access,
): DerivationStore & JobStore & EditStore {
  const readNamedItem = gathered(readNamedItems)
  const readWholeList = gathered(readWholeLists)
  const readEditsOf = gathered(readNamedEdits)
  return {
    epoch: (workspace) => read((session) => readEpoch(session, workspace)),
    findDerivation: (key, generation) => read((session) => findDerivation(session, key, generation)),
    derivations: (key) => read((session) => listDerivations(session, key)),
    activeDerivations: (workspace, deriver) => read((session) => listActive(session, workspace, deriver)),
    commitDerivation: (commit) => write((session) => commitDerivation(session, commit)),
    dropDerivation: (key, generation) => write((session) => dropDerivation(session, key, generation)),
    derivedItems: (list) => {
      if (isNamedItem(list)) return readNamedItem(list)
      return isWholeList(list) ? readWholeList(list) : read((session) => readItems(session, list))
    },
    itemsVersion: ({ workspace, kind }) => read((session) => readItemsVersion(session, workspace, kind)),
    readings: (list) => read((session) => readReadings(session, list)),
    underived: (wanted) => enter(() => findUnderived(connection, wanted)),

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
      write((session) => saveEdit(session, { workspace, edit, ...options })),
    edits: (list) => (areNamedEdits(list) ? readEditsOf(list) : read((session) => readEdits(session, list))),
    deleteEdits: (workspace, ids) => write((session) => deleteEdits(session, workspace, ids)),
    editsVersion: (workspace) => read((session) => readEditsVersion(session, workspace)),
  }
}
