import type { Commit } from '../changes.ts'
import { eraseCommit, pageCommit } from '../commits.ts'
import type { Erased, Store } from '../store.ts'
import {
  type Erasure,
  eraseConversations,
  eraseDocument,
  eraseMessage,
  erasePage,
  eraseQuery,
  eraseWorkspace,
} from './erase.ts'
import type { Db } from './statement.ts'

export type EraseStore = Pick<
  Store,
  'eraseMessage' | 'eraseConversations' | 'erasePage' | 'eraseQuery' | 'eraseDocument' | 'eraseWorkspace'
>

/** `erase` runs the work in a transaction, and removes what is left of it in the files. */
export function toEraseStore(
  erase: (commit: Commit, work: () => Db<Erasure>) => Promise<Erased>,
): EraseStore {
  return {
    eraseMessage: (workspace, id, now) =>
      erase(eraseCommit('eraseMessage', workspace), () => eraseMessage(workspace, id, now)),
    eraseConversations: (keys) =>
      erase(eraseCommit('eraseConversations', ...keys.map(({ workspace }) => workspace)), () =>
        eraseConversations(keys),
      ),
    erasePage: (key) => erase(pageCommit('erasePage', key), () => erasePage(key)),
    eraseQuery: (workspace, id) =>
      erase(pageCommit('eraseQuery', { workspace }), () => eraseQuery(workspace, id)),
    eraseDocument: (key, now) =>
      erase(eraseCommit('eraseDocument', key.workspace), () => eraseDocument(key, now)),
    eraseWorkspace: (workspace) =>
      erase(eraseCommit('eraseWorkspace', workspace), () => eraseWorkspace(workspace)),
  }
}
