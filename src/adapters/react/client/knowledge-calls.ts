import type {
  BlockChanges,
  Fact,
  FactChanges,
  FactWithHistory,
  FeedbackItem,
  Importance,
  JsonValue,
  MemoryBlock,
  NewFact,
  NewNote,
  NewQuery,
  Note,
  PageChanges,
  PageState,
  PreferenceSet,
  Query,
  Verdict,
  WorkspaceEntity,
} from '../../../index.ts'
import type {
  entityList,
  factList,
  ListQuery,
  noteList,
  preferenceList,
  queryList,
} from '../../../schemas/lists.ts'
import type { Wire } from '../../../schemas/wire.ts'
import type { CallOptions, Listed, Sender } from './send-request.ts'

type Signal = Pick<CallOptions, 'signal'>

export type FactList = ListQuery<typeof factList> & Signal

export interface FactCalls {
  list(list?: FactList): Promise<Listed<'facts', Wire<Fact>>>
  get(factId: string, options?: Signal): Promise<Wire<FactWithHistory>>
  add(fact: Wire<NewFact>): Promise<Wire<FactWithHistory>>
  change(factId: string, changes: Wire<FactChanges>): Promise<Wire<FactWithHistory>>
  pin(factId: string): Promise<Wire<FactWithHistory>>
  unpin(factId: string): Promise<Wire<FactWithHistory>>
  reject(factId: string): Promise<Wire<FactWithHistory>>
  restore(factId: string): Promise<Wire<FactWithHistory>>
  /** Undoes an edit as if it had never been made. */
  undo(factId: string, editId: number): Promise<void>
}

export type EntityList = ListQuery<typeof entityList> & Signal

/** Facts and other knowledge over HTTP. */
export interface KnowledgeCalls {
  readonly facts: FactCalls
  readonly entities: {
    list(list?: EntityList): Promise<Listed<'entities', Wire<WorkspaceEntity>>>
  }
  readonly preferences: {
    get(options?: ListQuery<typeof preferenceList> & Signal): Promise<Wire<PreferenceSet>>
    set(key: string, value: JsonValue): Promise<void>
    remove(key: string): Promise<void>
  }
  readonly blocks: {
    list(options?: Signal): Promise<{ readonly blocks: readonly Wire<MemoryBlock>[] }>
    history(name: string): Promise<{ readonly blocks: readonly Wire<MemoryBlock>[] }>
    update(name: string, changes: Wire<BlockChanges>): Promise<Wire<MemoryBlock>>
    undo(name: string): Promise<{ readonly block: Wire<MemoryBlock> | null }>
    remove(name: string): Promise<void>
  }
  readonly notes: {
    list(list?: ListQuery<typeof noteList> & Signal): Promise<Listed<'notes', Wire<Note>>>
    add(note: Wire<NewNote>): Promise<Wire<Note>>
    remove(noteId: string): Promise<void>
  }
  readonly feedback: {
    give(item: FeedbackItem, verdict: Verdict): Promise<Importance>
    get(item: FeedbackItem, options?: Signal): Promise<Importance>
    undo(item: FeedbackItem): Promise<Importance>
  }
}

export function openKnowledgeCalls(sender: Sender): KnowledgeCalls {
  return {
    facts: openFactCalls(sender),
    entities: {
      list: ({ signal, ...query } = {}) => sender.request('GET', '/api/entities', { query, signal }),
    },
    preferences: {
      get: ({ signal, ...query } = {}) => sender.request('GET', '/api/preferences', { query, signal }),
      set: (key, value) =>
        sender.request('PUT', `/api/preferences/${encodeURIComponent(key)}`, {
          body: { value },
          isRepeatable: true,
        }),
      remove: (key) => sender.request('DELETE', `/api/preferences/${encodeURIComponent(key)}`),
    },
    blocks: {
      list: (options) => sender.request('GET', '/api/blocks', options),
      history: (name) => sender.request('GET', `${toBlock(name)}/history`),
      update: (name, changes) => sender.request('PUT', toBlock(name), { body: changes }),
      undo: (name) => sender.request('POST', `${toBlock(name)}/undo`),
      remove: (name) => sender.request('DELETE', toBlock(name)),
    },
    notes: {
      list: ({ signal, ...query } = {}) => sender.request('GET', '/api/notes', { query, signal }),
      add: (note) => sender.request('POST', '/api/notes', { body: note }),
      remove: (noteId) => sender.request('DELETE', `/api/notes/${encodeURIComponent(noteId)}`),
    },
    feedback: {
      give: ({ kind, id }, verdict) =>
        sender.request('POST', '/api/feedback', { body: { kind, id, verdict } }),
      get: ({ kind, id }, options) =>
        sender.request('GET', '/api/feedback', { query: { kind, id }, ...options }),
      undo: ({ kind, id }) => sender.request('DELETE', '/api/feedback', { query: { kind, id } }),
    },
  }
}

const toBlock = (name: string): string => `/api/blocks/${encodeURIComponent(name)}`

function openFactCalls(sender: Sender): FactCalls {
  const one = (factId: string, verb = '') => `/api/facts/${encodeURIComponent(factId)}${verb}`
  return {
    list: ({ signal, ...query } = {}) => sender.request('GET', '/api/facts', { query, signal }),
    get: (factId, options) => sender.request('GET', one(factId), options),
    add: (fact) => sender.request('POST', '/api/facts', { body: fact }),
    change: (factId, changes) => sender.request('PATCH', one(factId), { body: changes }),
    pin: (factId) => sender.request('POST', one(factId, '/pin')),
    unpin: (factId) => sender.request('POST', one(factId, '/unpin')),
    reject: (factId) => sender.request('POST', one(factId, '/reject')),
    restore: (factId) => sender.request('POST', one(factId, '/restore')),
    undo: (factId, editId) => sender.request('DELETE', one(factId, `/edits/${editId}`)),
  }
}

export type QueryList = ListQuery<typeof queryList> & Signal

/** Pages, their state and their queries, over HTTP. */
export interface PageCalls {
  /** Creates the page if it does not exist. */
  load(pageId: string, options?: Signal): Promise<Wire<PageState>>
  /** Fields left out stay, null clears. Idempotent. */
  save(
    pageId: string,
    changes: PageChanges,
    options?: Pick<CallOptions, 'signal' | 'keepalive'>,
  ): Promise<Wire<PageState>>
  queries(pageId: string, list?: QueryList): Promise<readonly Wire<Query>[]>
  addQuery(pageId: string, query: Wire<NewQuery>): Promise<Wire<Query>>
  flagQuery(queryId: string, important: boolean): Promise<Wire<Query>>
  eraseQuery(queryId: string): Promise<void>
}

export function openPageCalls(sender: Sender): PageCalls {
  const one = (pageId: string, more = '') => `/api/context/${encodeURIComponent(pageId)}${more}`
  return {
    load: async (pageId, options) =>
      (await sender.request<{ context: Wire<PageState> }>('GET', one(pageId), options)).context,
    save: async (pageId, changes, options) => {
      const call = { ...options, body: changes, isRepeatable: true }
      return (await sender.request<{ context: Wire<PageState> }>('POST', one(pageId), call)).context
    },
    queries: async (pageId, { signal, ...query } = {}) => {
      const call = { query, signal }
      return (await sender.request<{ queries: Wire<Query>[] }>('GET', one(pageId, '/history'), call)).queries
    },
    addQuery: (pageId, query) =>
      sender.request('POST', one(pageId, '/history'), { body: query, isRepeatable: query.id !== undefined }),
    flagQuery: (queryId, important) =>
      sender.request('PATCH', `/api/queries/${encodeURIComponent(queryId)}`, { body: { important } }),
    eraseQuery: (queryId) => sender.request('DELETE', `/api/queries/${encodeURIComponent(queryId)}`),
  }
}
