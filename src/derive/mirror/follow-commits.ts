import type { CommitListener, CommitMethod } from '../../store/changes.ts'
import type { Mirror } from './mirror.ts'

/** Writes that can change the set of vectors. Vectors of messages change with a derivation. */
const CHANGES_VECTORS: ReadonlySet<CommitMethod> = new Set([
  'commitDerivation',
  'dropDerivation',
  'saveEdit',
  'deleteEdits',
  'changeConversation',
  'addDocument',
  'importDocument',
  'replaceDocument',
  'saveChunks',
  'attachDocument',
  'detachDocument',
])

const ERASES_VECTORS: ReadonlySet<CommitMethod> = new Set([
  'eraseMessage',
  'eraseConversations',
  'eraseDocument',
  'eraseWorkspace',
])

/** Updates the mirror after every commit. Only an erase waits for it: it is done when no vector is left. */
export function followCommits(mirror: Mirror): CommitListener {
  return ({ method, changes }) => {
    const workspaces = [...new Set(changes.map(({ workspace }) => workspace))]
    if (CHANGES_VECTORS.has(method)) for (const workspace of workspaces) mirror.touch(workspace)
    if (ERASES_VECTORS.has(method)) return every(workspaces.map((workspace) => mirror.forget(workspace)))
    if (method === 'scrub') return mirror.forgetAll()
  }
}

const every = async (done: readonly Promise<boolean>[]): Promise<boolean> =>
  (await Promise.all(done)).every(Boolean)
