// Which verb of a store changes what. A verb that is not here changes nothing that a client shows.

import type { WorkspaceId } from '../domain/ids.ts'
import type { Change, ChangeKind } from './changes.ts'
import type { Store } from './store.ts'

type AnyVerb = (...given: never[]) => Promise<unknown>
type Verb = { [Name in keyof Store]-?: Store[Name] extends AnyVerb ? Name : never }[keyof Store]
type Given<Name extends Verb> = Store[Name] extends (...given: infer All) => unknown ? All : never
type Result<Name extends Verb> = Store[Name] extends (...given: never[]) => Promise<infer Value>
  ? Value
  : never
type Tellers = { readonly [Name in Verb]?: (given: Given<Name>, result: Result<Name>) => readonly Change[] }

const change = (workspace: WorkspaceId, kind: ChangeKind, id?: string): readonly Change[] => [
  { workspace, kind, ...(id !== undefined && { id }) },
]

const TELLERS: Tellers = {
  // A retry, too: whoever wrote it first may have been killed before it could tell.
  append: ([{ workspace, conversation }]) => change(workspace, 'conversation', conversation),
  createConversation: ([{ workspace, conversation }]) => change(workspace, 'conversation', conversation),
  changeConversation: ([{ workspace, conversation }]) => change(workspace, 'conversation', conversation),
  fork: ([{ workspace, into }]) => change(workspace, 'conversation', into),
  commitDerivation: ([{ workspace, conversation, put = [], drop = [] }], isDone) =>
    isDone
      ? [
          ...change(workspace, 'conversation', conversation),
          ...(put.length + drop.length > 0 ? change(workspace, 'knowledge') : []),
        ]
      : [],
  saveEdit: ([workspace]) => change(workspace, 'knowledge'),
  deleteEdits: ([workspace], deleted) => (deleted > 0 ? change(workspace, 'knowledge') : []),

  savePage: ([{ workspace, page }]) => change(workspace, 'page', page),
  addQueries: ([{ workspace, page }]) => change(workspace, 'page', page),
  flagQuery: ([workspace]) => change(workspace, 'page'),
  forgetDocument: ([workspace]) => change(workspace, 'page'),

  addDocument: ([{ workspace }]) => change(workspace, 'document'),
  importDocument: ([{ workspace }]) => change(workspace, 'document'),
  replaceDocument: ([{ workspace, document }]) => change(workspace, 'document', document),
  saveChunks: ([{ workspace, document }], isDone) => (isDone ? change(workspace, 'document', document) : []),
  attachDocument: ([{ workspace, document }]) => change(workspace, 'document', document),
  detachDocument: ([{ workspace, document }]) => change(workspace, 'document', document),

  // What is erased goes from more places than one.
  eraseMessage: ([workspace]) => change(workspace, 'everything'),
  eraseConversations: ([keys]) =>
    [...new Set(keys.map(({ workspace }) => workspace))].flatMap((workspace) =>
      change(workspace, 'everything'),
    ),
  erasePage: ([{ workspace, page }]) => change(workspace, 'page', page),
  eraseQuery: ([workspace]) => change(workspace, 'page'),
  eraseDocument: ([{ workspace }]) => change(workspace, 'everything'),
  eraseWorkspace: ([workspace]) => change(workspace, 'everything'),
}

/** The same store; what it has written, it tells. */
export function tellChanges(store: Store, tell: (changes: readonly Change[]) => void): Store {
  const telling = Object.entries(TELLERS).map(([name, toChanges]) => {
    const verb = store[name as Verb] as (...given: unknown[]) => Promise<unknown>
    const toTold = toChanges as (given: unknown[], result: unknown) => readonly Change[]
    return [
      name,
      async (...given: unknown[]) => {
        const result = await verb(...given)
        tell(toTold(given, result))
        return result
      },
    ]
  })
  return { ...store, ...Object.fromEntries(telling) }
}
