import { describe, expectTypeOf, test } from 'vitest'
import type {
  Chunk,
  Context,
  ContextOptions,
  Conversation,
  ConversationHit,
  ConversationMemory,
  CopiedWorkspace,
  Document,
  Erased,
  Fact,
  FactWithHistory,
  Imported,
  Job,
  Key,
  Memory,
  Message,
  MessageHit,
  Note,
  PageMemory,
  PageState,
  PaginatedList,
  PreferenceSet,
  Query,
  RecallAnswer,
  Receipt,
  Topic,
  Workspace,
  WorkspaceEntity,
  WorkspaceId,
} from '../../src/index.ts'
import { openMemory } from '../../src/index.ts'

/** Only types are compared here: whatever is read or called at run time is this again. */
const anything: unknown = new Proxy(() => undefined, { get: () => anything, apply: () => anything })
const memory = anything as Memory
const trip = anything as ConversationMemory
const page = anything as PageMemory

describe('the types of', () => {
  test('opening and closing', () => {
    expectTypeOf(openMemory).returns.resolves.toEqualTypeOf<Memory>()
    expectTypeOf<Memory>().toExtend<AsyncDisposable>()
    expectTypeOf<Memory>().toExtend<Workspace>()
    expectTypeOf<Memory['workspace']>().toEqualTypeOf<(id: string) => Workspace>()
    expectTypeOf<Workspace>().not.toHaveProperty('close')
    expectTypeOf<Workspace>().not.toHaveProperty('workspace')
    expectTypeOf<Workspace['workspaceId']>().toEqualTypeOf<WorkspaceId>()
    expectTypeOf<Memory['copyTo']>().returns.resolves.toEqualTypeOf<readonly CopiedWorkspace[]>()
  })

  test('a context and a recall, in one object or apart', () => {
    expectTypeOf(() => trip.context()).returns.resolves.toEqualTypeOf<Context>()
    expectTypeOf(() => trip.context('q')).returns.resolves.toEqualTypeOf<Context>()
    expectTypeOf(() => trip.context('q', { budgetTokens: 800 })).returns.resolves.toEqualTypeOf<Context>()
    expectTypeOf(() =>
      trip.context({ query: 'q', system: 's', tools: [], budgetTokens: 800 }),
    ).returns.resolves.toEqualTypeOf<Context>()
    expectTypeOf<Context['receiptSaved']>().toEqualTypeOf<Promise<boolean>>()
    expectTypeOf<ContextOptions>().toHaveProperty('query')
    expectTypeOf(() => memory.recall('q')).returns.resolves.toEqualTypeOf<RecallAnswer>()
    expectTypeOf(() => memory.recall('q', { limit: 3 })).returns.resolves.toEqualTypeOf<RecallAnswer>()
    expectTypeOf(() => memory.recall({ query: 'q', limit: 3 })).returns.resolves.toEqualTypeOf<RecallAnswer>()
    // @ts-expect-error: the query is given once
    const twice = () => trip.context('q', { query: 'q' })
    // @ts-expect-error: recall needs a query
    const none = () => memory.recall({ limit: 3 })
    expectTypeOf([twice, none]).toBeArray()
  })

  test('lists: a promise of a page, and iterable', () => {
    expectTypeOf<PaginatedList<Fact>>().toExtend<Promise<{ readonly items: readonly Fact[] }>>()
    expectTypeOf<PaginatedList<Fact>>().toExtend<AsyncIterable<Fact>>()
    expectTypeOf<PaginatedList<Fact>['toArray']>().returns.resolves.toEqualTypeOf<readonly Fact[]>()
    expectTypeOf(memory.conversations.list).returns.toEqualTypeOf<PaginatedList<Conversation>>()
    expectTypeOf(memory.conversations.search).returns.toEqualTypeOf<PaginatedList<ConversationHit>>()
    expectTypeOf(memory.messages.search).returns.toEqualTypeOf<PaginatedList<MessageHit>>()
    expectTypeOf(memory.facts.list).returns.toEqualTypeOf<PaginatedList<Fact>>()
    expectTypeOf(memory.notes.list).returns.toEqualTypeOf<PaginatedList<Note>>()
    expectTypeOf(memory.entities.list).returns.toEqualTypeOf<PaginatedList<WorkspaceEntity>>()
    expectTypeOf(memory.documents.list).returns.toEqualTypeOf<PaginatedList<Document>>()
    expectTypeOf(memory.documents.chunks).returns.toEqualTypeOf<PaginatedList<Chunk>>()
    expectTypeOf(memory.pages.list).returns.toEqualTypeOf<PaginatedList<PageState>>()
    expectTypeOf(memory.keys.list).returns.toEqualTypeOf<PaginatedList<Key>>()
    expectTypeOf(memory.jobs.list).returns.toEqualTypeOf<PaginatedList<Job>>()
    expectTypeOf(memory.workspaces.list).returns.toEqualTypeOf<PaginatedList<WorkspaceId>>()
    expectTypeOf(trip.messages.list).returns.toEqualTypeOf<PaginatedList<Message>>()
    expectTypeOf(trip.topics.list).returns.toEqualTypeOf<PaginatedList<Topic>>()
    expectTypeOf(trip.topics.messages).returns.toEqualTypeOf<PaginatedList<Message>>()
    expectTypeOf(trip.receipts.list).returns.toEqualTypeOf<PaginatedList<Receipt>>()
    expectTypeOf(trip.facts.list).returns.toEqualTypeOf<PaginatedList<Fact>>()
    expectTypeOf(trip.notes.list).returns.toEqualTypeOf<PaginatedList<Note>>()
    expectTypeOf(trip.entities.list).returns.toEqualTypeOf<PaginatedList<WorkspaceEntity>>()
    expectTypeOf(trip.documents.list).returns.toEqualTypeOf<PaginatedList<Document>>()
    expectTypeOf(page.queries.list).returns.toEqualTypeOf<PaginatedList<Query>>()
  })

  test('get: undefined if there is none', () => {
    expectTypeOf(memory.conversations.get).returns.resolves.toEqualTypeOf<Conversation | undefined>()
    expectTypeOf(memory.messages.get).returns.resolves.toEqualTypeOf<Message | undefined>()
    expectTypeOf(memory.facts.get).returns.resolves.toEqualTypeOf<FactWithHistory | undefined>()
    expectTypeOf(memory.documents.get).returns.resolves.toEqualTypeOf<Document | undefined>()
    expectTypeOf(memory.queries.get).returns.resolves.toEqualTypeOf<Query | undefined>()
    expectTypeOf(trip.get).returns.resolves.toEqualTypeOf<Conversation | undefined>()
    expectTypeOf(trip.messages.get).returns.resolves.toEqualTypeOf<Message | undefined>()
    expectTypeOf(trip.topics.get).returns.resolves.toEqualTypeOf<Topic | undefined>()
    expectTypeOf(trip.receipts.get).returns.resolves.toEqualTypeOf<Receipt | undefined>()
    expectTypeOf(page.queries.get).returns.resolves.toEqualTypeOf<Query | undefined>()
    expectTypeOf(memory.preferences.get).returns.resolves.toEqualTypeOf<PreferenceSet>()
  })

  test('getOrCreate, update, delete and erase', () => {
    expectTypeOf(memory.conversations.getOrCreate).returns.resolves.toEqualTypeOf<Conversation>()
    expectTypeOf(trip.getOrCreate).returns.resolves.toEqualTypeOf<Conversation>()
    expectTypeOf(trip.update).returns.resolves.toEqualTypeOf<Conversation>()
    expectTypeOf(trip.topics.update).returns.resolves.toEqualTypeOf<Topic>()
    expectTypeOf(memory.facts.update).returns.resolves.toEqualTypeOf<FactWithHistory>()
    expectTypeOf(memory.preferences.update).returns.resolves.toEqualTypeOf<void>()
    expectTypeOf(page.queries.update).returns.resolves.toEqualTypeOf<Query>()
    expectTypeOf(memory.facts.delete).returns.resolves.toEqualTypeOf<FactWithHistory>()
    expectTypeOf(memory.notes.delete).returns.resolves.toEqualTypeOf<boolean>()
    expectTypeOf(memory.keys.delete).returns.resolves.toEqualTypeOf<boolean>()
    expectTypeOf(memory.preferences.delete).returns.resolves.toEqualTypeOf<boolean>()
    for (const erase of [memory.erase, trip.erase, page.erase] as const)
      expectTypeOf(erase).returns.resolves.toEqualTypeOf<Erased>()
    expectTypeOf(trip.messages.erase).returns.resolves.toEqualTypeOf<Erased>()
    expectTypeOf(memory.documents.erase).returns.resolves.toEqualTypeOf<Erased>()
  })

  test('record, import and export', () => {
    expectTypeOf(() => trip.record({ role: 'user', content: 'Hi' })).returns.resolves.toEqualTypeOf<Message>()
    expectTypeOf(() =>
      trip.record([{ role: 'user', content: 'Hi' }], { derive: 'background' }),
    ).returns.resolves.toEqualTypeOf<readonly Message[]>()
    expectTypeOf(() =>
      memory.import('chats.zip', { dryRun: true }),
    ).returns.resolves.toEqualTypeOf<Imported>()
    expectTypeOf(() => memory.import(['a.json', 'b.json'])).returns.resolves.toEqualTypeOf<Imported>()
    expectTypeOf(() => memory.import(memory.export())).returns.resolves.toEqualTypeOf<Imported>()
    expectTypeOf(memory.export).returns.toEqualTypeOf<AsyncIterable<string>>()
  })
})
