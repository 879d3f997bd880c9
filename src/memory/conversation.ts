import type { ChatEvent } from '../chat/chat-event.ts'
import { buildContextWithRecall, type Context, type ContextDeps } from '../context/context.ts'
import { findReceipt, readReceipts } from '../context/receipt.ts'
import type { Deriver } from '../derive/deriver.ts'
import { type RollingSummary, readRollingSummary } from '../derive/summaries/rolling-summary.ts'
import type { MadeSummary, SummaryOptions } from '../derive/summaries/summarize-conversation.ts'
import type { Conversation } from '../domain/conversation.ts'
import { definedFields } from '../domain/defined-fields.ts'
import type { ConversationId, ConversationKey } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import type { Note } from '../domain/note.ts'
import type { Receipt } from '../domain/receipt.ts'
import { scopeOfConversation, withScope } from '../domain/scope.ts'
import type { Models } from '../model/models.ts'
import type { ResolvedConfig } from '../options/options.ts'
import { acceptChanges } from '../record/accept.ts'
import { type ForkOptions, forkAt, type RecordOptions, record, type WorkspaceDeps } from '../record/record.ts'
import type { ChatOptions, ContextOptions } from '../schemas/chat.ts'
import type { ConversationChanges } from '../schemas/conversation.ts'
import type { NewMessage } from '../schemas/message.ts'
import { checkLimit } from '../schemas/values.ts'
import { readMessages } from '../store/read-pages.ts'
import type { ConversationFields, Erased, Store } from '../store/store.ts'
import { chatIn } from './chat.ts'
import { type ConversationDocuments, createConversationDocuments } from './documents.ts'
import { type ConversationEntities, createConversationEntities } from './entities.ts'
import { type ConversationFacts, createConversationFacts } from './facts.ts'
import { type ConversationMessages, createConversationMessages } from './messages.ts'
import { type ConversationNotes, createConversationNotes, noteFromWeb } from './notes.ts'
import { type PageOptions, type PaginatedList, paginate } from './paginate.ts'
import { createTopics, type Topics } from './topics.ts'

/**
 * One conversation, by an id of your choice: `memory.conversation(id)`. The first message creates it.
 *
 * @example
 * const trip = memory.conversation('trip')
 * await trip.record({ role: 'user', content: 'I am vegetarian.' })
 * const { messages, receipt } = await trip.context('Where should we eat?', { budgetTokens: 800 })
 */
export interface ConversationMemory {
  readonly id: ConversationId
  readonly messages: ConversationMessages
  readonly topics: Topics
  readonly facts: ConversationFacts
  readonly entities: ConversationEntities
  readonly notes: ConversationNotes
  readonly documents: ConversationDocuments
  readonly receipts: Receipts
  /** Resolves when the message is durable. */
  record(message: NewMessage, options?: RecordOptions): Promise<Message>
  /** Records all of the messages or none. */
  record(messages: readonly NewMessage[], options?: RecordOptions): Promise<readonly Message[]>
  /** The messages to send to the model next, within the budget, and a receipt that says why. */
  context(query: string, options?: Omit<ContextOptions, 'query'>): Promise<Context>
  context(options?: ContextOptions): Promise<Context>
  /**
   * One whole turn: records the question, builds the context, streams the model's answer and records it. Runs
   * as you read it. If you stop reading, the answer stops, and the partial answer is recorded.
   */
  chat(options: ChatOptions): AsyncGenerator<ChatEvent, void>
  /** A summary of the whole conversation, made now by the language model, or without one from its own sentences. */
  summary(options?: SummaryOptions): Promise<MadeSummary>
  /** The stored summary of the earlier turns, updated as the conversation grows; undefined while it is short. */
  rollingSummary(): Promise<RollingSummary | undefined>
  /** Notes from the web for a query about something recent; empty for other queries or without a web search. */
  searchWeb(query: string): Promise<readonly Note[]>
  /** Title, tags, counts; undefined if the conversation does not exist. */
  get(): Promise<Conversation | undefined>
  /** Returns the conversation as it is, or creates it with these fields. */
  getOrCreate(fields?: ConversationChanges): Promise<Conversation>
  /** Renames, tags, pins, archives. */
  update(changes: ConversationChanges): Promise<Conversation>
  /** Creates a conversation with all messages up to and including this one. */
  fork(messageId: string, options?: ForkOptions): Promise<Conversation>
  /** Erases the conversation with all its messages, for good. */
  erase(): Promise<Erased>
}

export interface ReceiptListOptions extends PageOptions {
  /** @default 20 */
  readonly limit?: number
}

/**
 * Receipts of the contexts of a conversation: `trip.receipts`. Only the newest are kept.
 *
 * @example
 * const { receipt } = await trip.context('Where should we eat?')
 * const { items: receipts } = await trip.receipts.list()
 * const same = await trip.receipts.get(receipt.id)
 */
export interface Receipts {
  /** Newest first. */
  list(options?: ReceiptListOptions): PaginatedList<Receipt>
  get(id: string): Promise<Receipt | undefined>
}

export interface ConversationDeps {
  readonly recorder: WorkspaceDeps
  readonly deriver: Deriver
  readonly options: ResolvedConfig
  readonly models: Models
  readonly contextMaker: ContextDeps
}

export function createConversation(deps: ConversationDeps, id: ConversationId): ConversationMemory {
  const { recorder, contextMaker, deriver, options, models } = deps
  const { store, workspace, limits, now } = recorder
  const key = { workspace, conversation: id }
  const accept = (changes: ConversationChanges) => acceptChanges(changes, { limits, now: now() })
  const { expireDays } = options.notes
  return {
    id,
    messages: createConversationMessages(recorder, deriver, id),
    topics: createTopics({ ...recorder, deriver, options, model: models.languageModel }, key),
    facts: createConversationFacts(recorder, id),
    entities: createConversationEntities(recorder, id),
    notes: createConversationNotes(recorder, { conversation: id, expireDays }),
    documents: createConversationDocuments(recorder, id),
    receipts: createReceipts(contextMaker, key),
    record: createRecord(deps, key),
    context: async (query?: string | ContextOptions, request: ContextOptions = {}) => {
      const asked = typeof query === 'string' ? { ...request, query } : { ...query, ...request }
      const {
        answer: _,
        within: __,
        recallMs: ___,
        ...context
      } = await buildContextWithRecall(contextMaker, key, asked)
      return context
    },
    chat: (request) => chatIn(deps, key, request),
    summary: async (request = {}) => {
      const { summarizeConversation } = await import('../derive/summaries/summarize-conversation.ts')
      const { count: countTokens } = await recorder.loadTokenizer()
      const source = { countTokens, maxTokens: options.summary.maxTokens, model: models.languageModel }
      return summarizeConversation({ ...source, messages: readMessages(store, key) }, request)
    },
    searchWeb: async (question) => (await noteFromWeb(deps, { conversation: id, question })) ?? [],
    rollingSummary: () => readRollingSummary(store, key, options.summary.everyNMessages),
    get: () => store.findConversation(key),
    getOrCreate: async (fields = {}) =>
      store.createConversation({ ...key, fields: accept(fields), createdAt: now() }),
    update: async (changes) =>
      store.changeConversation(key, { ...accept(changes), ...(await keepScope(store, key, changes)) }),
    fork: (messageId, request = {}) => forkAt(recorder, { conversation: id, messageId }, request),
    erase: () => store.eraseConversations([key]),
  }
}

/** The scope is part of the metadata: changing one of them keeps the other. */
async function keepScope(
  store: Store,
  key: ConversationKey,
  { scope, metadata }: ConversationChanges,
): Promise<Pick<ConversationFields, 'metadata'>> {
  if (scope === undefined && metadata === undefined) return {}
  const current = (await store.findConversation(key))?.metadata ?? {}
  const kept = scope === undefined ? scopeOfConversation(current) : scope
  return { metadata: withScope(metadata ?? current, kept) }
}

function createRecord(
  { recorder, deriver }: ConversationDeps,
  key: ConversationKey,
): ConversationMemory['record'] {
  function recordAny(message: NewMessage, options?: RecordOptions): Promise<Message>
  function recordAny(messages: readonly NewMessage[], options?: RecordOptions): Promise<readonly Message[]>
  async function recordAny(
    input: NewMessage | readonly NewMessage[],
    options: RecordOptions = {},
  ): Promise<Message | readonly Message[]> {
    const messages = isList(input) ? input : [input]
    const result = await record(recorder, { ...options, conversation: key.conversation, messages })
    const isLater = options.derive === 'background'
    if (result.added > 0) await deriver.afterAppend(key, result, { isLater })
    return isList(input) ? result.messages : (result.messages[0] as Message)
  }
  return recordAny
}

const isList = (input: NewMessage | readonly NewMessage[]): input is readonly NewMessage[] =>
  Array.isArray(input)

function createReceipts(deps: ContextDeps, key: ConversationKey): Receipts {
  return {
    list: ({ limit, cursor } = {}) =>
      paginate(
        async (from) =>
          readReceipts(deps, key, { limit: checkLimit(limit, 20), ...definedFields({ cursor: from }) }),
        { cursor },
      ),
    get: (id) => findReceipt(deps, key, id),
  }
}
