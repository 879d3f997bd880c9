import type {
  EntityType,
  Fact,
  FactChanges,
  FactKind,
  FactWithHistory,
  FeedbackItem,
  Importance,
  JsonValue,
  NewFact,
  NewNote,
  Note,
  PreferenceSet,
  Verdict,
  WorkspaceEntity,
} from '../../../index.ts'
import type { CallOptions, Sender } from './send-request.ts'
import type { Listed, Wire } from './wire.ts'

interface Paged extends Pick<CallOptions, 'signal'> {
  readonly limit?: number
  readonly cursor?: string
}

export interface FactList extends Paged {
  readonly subject?: string
  readonly attribute?: string
  readonly kind?: FactKind
  readonly conversationId?: string
  /** Facts as of this time, past or future. */
  readonly asOf?: string | Date
  readonly includeClosed?: boolean
  readonly includeRejected?: boolean
}

export interface FactCalls {
  list(list?: FactList): Promise<Listed<'facts', Wire<Fact>>>
  get(factId: string, options?: Pick<CallOptions, 'signal'>): Promise<Wire<FactWithHistory>>
  add(fact: Wire<NewFact>): Promise<Wire<FactWithHistory>>
  change(factId: string, changes: Wire<FactChanges>): Promise<Wire<FactWithHistory>>
  pin(factId: string): Promise<Wire<FactWithHistory>>
  unpin(factId: string): Promise<Wire<FactWithHistory>>
  reject(factId: string): Promise<Wire<FactWithHistory>>
  restore(factId: string): Promise<Wire<FactWithHistory>>
  /** Undoes an edit as if it had never been made. */
  undo(factId: string, editId: number): Promise<void>
}

export interface EntityList extends Paged {
  readonly type?: EntityType
  readonly conversationId?: string
}

/** Facts and other knowledge over HTTP. */
export interface KnowledgeCalls {
  readonly facts: FactCalls
  readonly entities: {
    list(list?: EntityList): Promise<Listed<'entities', Wire<WorkspaceEntity>>>
  }
  readonly preferences: {
    get(options?: Pick<CallOptions, 'signal'> & { readonly subject?: string }): Promise<Wire<PreferenceSet>>
    set(key: string, value: JsonValue): Promise<void>
    remove(key: string): Promise<void>
  }
  readonly notes: {
    list(list?: Paged & { readonly conversationId?: string }): Promise<Listed<'notes', Wire<Note>>>
    add(note: Wire<NewNote>): Promise<Wire<Note>>
    remove(noteId: string): Promise<void>
  }
  readonly feedback: {
    give(item: FeedbackItem, verdict: Verdict): Promise<Importance>
    get(item: FeedbackItem, options?: Pick<CallOptions, 'signal'>): Promise<Importance>
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
