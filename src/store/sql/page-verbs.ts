import { pageCommit } from '../commits.ts'
import type { PageStore } from '../page-store.ts'
import { forgetDocument, listPages, savePage } from './pages.ts'
import { findQuery, flagQuery, readQueries, readQueriesAt } from './queries.ts'
import type { SqlAccess } from './statement.ts'

/** All methods except those that each engine implements itself. */
export function toPageStore({
  read,
  write,
}: SqlAccess): Omit<PageStore, 'findPage' | 'addQueries' | 'findQueryPositions'> {
  return {
    savePage: (save) => write(() => savePage(save), pageCommit('savePage', save)),
    listPages: (list) => read(() => listPages(list)),
    forgetDocument: (workspace, documentId, now) =>
      write(
        () => forgetDocument(workspace, { documentId, now }),
        pageCommit('forgetDocument', { workspace }),
      ),
    queries: (range) => read(() => readQueries(range)),
    queriesAt: (key, positions) => read(() => readQueriesAt(key, positions)),
    findQuery: (workspace, id) => read(() => findQuery(workspace, id)),
    flagQuery: (workspace, id, important) =>
      write(() => flagQuery(workspace, { id, important }), pageCommit('flagQuery', { workspace })),
  }
}
