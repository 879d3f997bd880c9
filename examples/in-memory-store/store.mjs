// A store that keeps everything in memory: conversations, messages, receipts and what was derived from them. It
// leaves out documents, pages, API keys, compression and daily sums, and declares so in its capabilities.

import {
  CommitHook,
  conversationCommit,
  deletedEditsCommit,
  derivationCommit,
  eraseCommit,
  forkCommit,
  knowledgeCommit,
  MemoryError,
  noActivity,
  noCompression,
  noDocuments,
  noKeys,
  noPages,
} from 'recollect/store'
import { derivedMethods } from './derived.mjs'
import { eraseMethods } from './erase.mjs'
import { jobMethods } from './jobs.mjs'
import { recallMethods } from './recall.mjs'
import { recordMethods } from './record.mjs'

const CAPABILITIES = {
  isPersistent: false,
  canBackUp: false,
  scrubsAtOnce: true,
  hasDocuments: false,
  hasPages: false,
  hasKeys: false,
  hasActivity: false,
  canCompress: false,
}

/** @returns {import('recollect/store').Store} */
export function openInMemoryStore() {
  const data = { workspaces: new Map(), jobs: [], lastNumber: 0 }
  const hook = new CommitHook()
  let isClosed = false
  /** Methods run synchronously, so a call is one transaction as long as it checks before it changes anything. */
  const wrap = ([name, method]) => [
    name,
    async (...values) => {
      if (isClosed && name !== 'close') throw new MemoryError('store-closed', 'the store is closed')
      const result = method(...values)
      return name === 'scrub' ? hook.scrub(result) : emit(name, result, COMMITS[name]?.(...values))
    },
  ]
  const emit = (name, result, commit) => {
    if (commit === undefined) return result
    return name.startsWith('erase') ? hook.erase(result, commit) : hook.write(result, commit)
  }
  const bind = ([name, method]) => [name, (...values) => method(data, ...values)]
  const methods = { ...recordMethods, ...eraseMethods, ...derivedMethods, ...jobMethods, ...recallMethods }
  const others = {
    ...noDocuments,
    ...noPages,
    ...noKeys,
    ...noCompression,
    ...noActivity,
    watch: ({ workspace, onChange }) =>
      hook.add(({ changes }) => {
        for (const change of changes) if (change.workspace === workspace) onChange(change)
      }),
    close: () => {
      isClosed = true
    },
  }
  return {
    capabilities: CAPABILITIES,
    location: 'in memory',
    ...Object.fromEntries([...Object.entries(methods).map(bind), ...Object.entries(others)].map(wrap)),
    onCommit: (listener) => hook.add(listener),
  }
}

/** What each write changes, from its parameters. */
const COMMITS = {
  append: (request) => conversationCommit('append', request),
  createConversation: (request) => conversationCommit('createConversation', request),
  changeConversation: (key) => conversationCommit('changeConversation', key),
  fork: forkCommit,
  commitDerivation: derivationCommit,
  dropDerivation: (key) => knowledgeCommit('dropDerivation', key.workspace),
  saveEdit: (workspace) => knowledgeCommit('saveEdit', workspace),
  deleteEdits: deletedEditsCommit,
  eraseMessage: (workspace) => eraseCommit('eraseMessage', workspace),
  eraseConversations: (keys) => eraseCommit('eraseConversations', ...keys.map(({ workspace }) => workspace)),
  eraseWorkspace: (workspace) => eraseCommit('eraseWorkspace', workspace),
}
