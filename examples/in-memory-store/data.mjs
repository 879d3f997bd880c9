// The data of the store: workspaces by id, each with its conversations by id. Rows are plain objects that are
// replaced, never changed, so that readers can keep them.

import { MemoryError } from 'recollect/store'

export function createWorkspace(data, id) {
  const known = data.workspaces.get(id)
  if (known !== undefined) return known
  const number = ++data.lastNumber
  const workspace = {
    id,
    conversations: new Map(),
    /** In which order messages were recorded. */
    numbers: new Map(),
    edits: [],
    // Versions are numbers that never repeat.
    editsVersion: number,
    erasureVersion: number,
    removals: {},
  }
  data.workspaces.set(id, workspace)
  return workspace
}

/** The conversations of a workspace, the newest last. */
export const conversationsOf = (data, workspace) => [
  ...(data.workspaces.get(workspace)?.conversations.values() ?? []),
]

export const findConversation = (data, { workspace, conversation }) =>
  data.workspaces.get(workspace)?.conversations.get(conversation)

export function needConversation(data, key) {
  const found = findConversation(data, key)
  if (found === undefined) throw notFound(`there is no conversation "${key.conversation}"`)
  return found
}

export function findMessage(data, workspace, id) {
  if (!data.workspaces.get(workspace)?.numbers.has(id)) return undefined
  for (const { messages } of conversationsOf(data, workspace)) {
    const found = messages.find((message) => message.id === id)
    if (found !== undefined) return found
  }
  return undefined
}

export const notFound = (message) => new MemoryError('not-found', message)
export const conflict = (message) => new MemoryError('conflict', message)
