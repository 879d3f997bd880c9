import type { WorkspaceId } from '../../domain/ids.ts'
import type { Erased, Store } from '../../store/store.ts'
import type { Mirror } from './mirror.ts'

/**
 * The store, with a mirror that hears of every change after it is durable. Only an erase waits for it: until the vector
 * store has let go, too, it is not scrubbed.
 */
export function mirroredStore(store: Store, mirror: Mirror): Store {
  const told = async <T>(workspace: WorkspaceId, change: Promise<T>): Promise<T> => {
    const done = await change
    mirror.touch(workspace)
    return done
  }
  const forgotten = async (workspaces: readonly WorkspaceId[], erase: Promise<Erased>): Promise<Erased> => {
    const erased = await erase
    const all = await Promise.all([...new Set(workspaces)].map((workspace) => mirror.forget(workspace)))
    return { ...erased, isScrubbed: erased.isScrubbed && all.every(Boolean) }
  }
  return {
    ...store,
    commitDerivation: (commit) => told(commit.workspace, store.commitDerivation(commit)),
    dropDerivation: (key, generation) => told(key.workspace, store.dropDerivation(key, generation)),
    saveEdit: (workspace, edit, options) => told(workspace, store.saveEdit(workspace, edit, options)),
    deleteEdits: (workspace, ids) => told(workspace, store.deleteEdits(workspace, ids)),
    changeConversation: (key, fields) => told(key.workspace, store.changeConversation(key, fields)),
    addDocument: (addition) => told(addition.workspace, store.addDocument(addition)),
    importDocument: (imported) => told(imported.workspace, store.importDocument(imported)),
    replaceDocument: (replacement) => told(replacement.workspace, store.replaceDocument(replacement)),
    saveChunks: (key, version, chunked) => told(key.workspace, store.saveChunks(key, version, chunked)),
    attachDocument: (key, conversation, now) =>
      told(key.workspace, store.attachDocument(key, conversation, now)),
    detachDocument: (key, conversation) => told(key.workspace, store.detachDocument(key, conversation)),
    eraseMessage: (workspace, id, now) => forgotten([workspace], store.eraseMessage(workspace, id, now)),
    eraseConversations: (keys) =>
      forgotten(
        keys.map(({ workspace }) => workspace),
        store.eraseConversations(keys),
      ),
    eraseDocument: (key, now) => forgotten([key.workspace], store.eraseDocument(key, now)),
    eraseWorkspace: (workspace) => forgotten([workspace], store.eraseWorkspace(workspace)),
    scrub: async () => {
      const isScrubbed = await store.scrub()
      return (await mirror.forgetAll()) && isScrubbed
    },
  }
}
