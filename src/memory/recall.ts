// Recall joined with what it looks through: the store, and everything that is worked out or given beside messages.

import { readFacts } from '../derive/facts/read-facts.ts'
import { learnImportance, PLAIN_IMPORTANCE } from '../derive/importance/learn-importance.ts'
import { readFeedback } from '../derive/importance/read-feedback.ts'
import { readNotes } from '../derive/notes/read-notes.ts'
import { readRollingSummary } from '../derive/summaries/rolling-summary.ts'
import { readTopicUse } from '../derive/topics/read-topics.ts'
import { VECTORS } from '../derive/vectors/make-vectors.ts'
import { definedFields } from '../domain/defined-fields.ts'
import { type ConversationId, messageId, pageId } from '../domain/ids.ts'
import type { Note } from '../domain/note.ts'
import type { Query } from '../domain/page.ts'
import type { Explanation, RecallAnswer, RecallOptions } from '../domain/recall.ts'
import { isSaid, withoutReplaced } from '../domain/recollect-metadata.ts'
import type { Embedder } from '../model/embedder.ts'
import type { Models } from '../model/models.ts'
import type { ResolvedConfig } from '../options/options.ts'
import { explain } from '../recall/explain.ts'
import type { ConversationSummary } from '../recall/kinds/find-summaries.ts'
import type { VectorSearch } from '../recall/meaning.ts'
import { type RecallParts, recall } from '../recall/recall.ts'
import { acceptName } from '../record/accept-id.ts'
import { findRelevant } from '../record/queries/find-relevant.ts'
import type { WorkspaceDeps } from '../record/record.ts'
import type { MessageMeta } from '../store/recall-store.ts'
import { acceptRecall } from './accept-recall.ts'

export interface RecallHandle {
  /**
   * What is known about a question, best first, each with the reasons for its place: messages, facts, notes,
   * summaries, chunks of documents, past queries. Reads only.
   */
  recall(question: string, request?: RecallOptions): Promise<RecallAnswer>
  /** For people: what was searched for, why this came up and that did not. */
  explain(question: string, request?: ExplainOptions): Promise<Explanation>
}

export interface ExplainOptions extends RecallOptions {
  /** A message to be told of, whatever becomes of it. */
  readonly messageId?: string
}

export interface RecallHandleParts {
  readonly recorder: WorkspaceDeps
  readonly options: ResolvedConfig
  readonly models: Models
  readonly builtInEmbedder: Embedder
  /** A vector store beside the store. */
  readonly vectorSearch?: VectorSearch
}

/** Turns that a question may lean on. */
const LAST_TURNS = 6
/** Of the queries of a page, those that share most words. */
const QUERIES = 10

export function openRecall(parts: RecallHandleParts): RecallHandle {
  return {
    recall: async (question, request = {}) => {
      const accepted = acceptRecall(parts.recorder, parts.options.recall, { text: question, request })
      return recall(await toParts(parts), accepted)
    },
    explain: async (question, { messageId: id, ...request } = {}) => {
      const { recorder, options } = parts
      const accepted = acceptRecall(recorder, options.recall, { text: question, request })
      const about =
        id === undefined
          ? undefined
          : messageId(acceptName(id, { what: 'a message id', most: recorder.limits.idCharacters }))
      return explain(await recall(await toParts(parts), { ...accepted, ...definedFields({ about }) }), about)
    },
  }
}

async function toParts({
  recorder,
  options,
  models,
  builtInEmbedder,
  vectorSearch: search,
}: RecallHandleParts): Promise<RecallParts> {
  const { store, workspace, now } = recorder
  const tokenizer = await recorder.loadTokenizer()
  const moment = now()
  return {
    store,
    options: options.recall,
    builtInEmbedder,
    ...(!models.isEmbedderBuiltIn && {
      vectors: { loadEmbedder: models.loadEmbedder, deriver: VECTORS, ...definedFields({ search }) },
    }),
    ...definedFields({ languageModel: models.languageModel, reranker: models.reranker }),
    countTokens: (text) => tokenizer.count(text),
    now: moment,
    lastTurns: async (conversation) =>
      withoutReplaced(
        await store.messages({ workspace, conversation, direction: 'backwards', limit: LAST_TURNS }),
      ).filter(isSaid),
    readFacts: (asOf) => readFacts(store, workspace, { asOf }),
    readNotes: (conversations) => notesOf(recorder, options, conversations),
    readSummaries: (conversations) => summariesOf(recorder, options, conversations),
    findQueries: (question, conversations) => queriesOf(recorder, question, conversations),
    rag: options.rag,
    isRemembered: askOnce(
      async (conversation) => (await store.findConversation({ workspace, conversation }))?.isMemoryOn ?? true,
    ),
    readImportance: (heads) => importancesOf(recorder, heads),
    readPriorities: (heads) => prioritiesOf(recorder, options, heads),
  }
}

/** Who asks for the same again is given the same answer; `nameOf` tells what is the same. */
function askOnce<Key, Value>(
  ask: (key: Key) => Promise<Value>,
  nameOf: (key: Key) => unknown = (key) => key,
): (key: Key) => Promise<Value> {
  const asked = new Map<unknown, Promise<Value>>()
  return (key) => {
    const name = nameOf(key)
    const answer = asked.get(name) ?? ask(key)
    asked.set(name, answer)
    return answer
  }
}

async function notesOf(
  { store, workspace, now }: WorkspaceDeps,
  { notes }: ResolvedConfig,
  conversations: readonly ConversationId[] | undefined,
): Promise<readonly Note[]> {
  const query = { workspace, expireDays: notes.expireDays, now: now() }
  if (conversations === undefined) return readNotes(store, query)
  const scopes = [null, ...conversations]
  const lists = await Promise.all(scopes.map((conversation) => readNotes(store, { ...query, conversation })))
  return lists.flat()
}

async function summariesOf(
  { store, workspace }: WorkspaceDeps,
  { convo }: ResolvedConfig,
  conversations: readonly ConversationId[],
): Promise<readonly ConversationSummary[]> {
  const found = await Promise.all(
    conversations.map(async (conversation) => {
      const summary = await readRollingSummary(
        store,
        { workspace, conversation },
        convo.summaryEveryNMessages,
      )
      return summary === undefined ? [] : [{ ...summary, conversationId: conversation }]
    }),
  )
  return found.flat()
}

async function queriesOf(
  { store, workspace }: WorkspaceDeps,
  question: string,
  conversations: readonly ConversationId[],
): Promise<readonly Query[]> {
  const found = await Promise.all(
    conversations.map(async (id) => {
      const key = { workspace, page: pageId(id) }
      const page = await store.findPage(key)
      if (page === undefined || page.queryCount === 0) return []
      const positions = await findRelevant(store, { ...key, question, total: page.queryCount })
      return store.queriesAt(key, positions.slice(0, QUERIES))
    }),
  )
  return found.flat()
}

async function importancesOf(
  { store, workspace }: WorkspaceDeps,
  heads: readonly MessageMeta[],
): Promise<readonly number[]> {
  const verdictsOf = await readFeedback(store, workspace)
  return heads.map(({ id, importance = PLAIN_IMPORTANCE }) => {
    const { helpful, unhelpful } = verdictsOf({ kind: 'message', id })
    return learnImportance(importance, helpful, unhelpful).importance
  })
}

/** Of the topics of messages; many messages are of one. */
async function prioritiesOf(
  { store, workspace, now }: WorkspaceDeps,
  { topics }: ResolvedConfig,
  heads: readonly MessageMeta[],
): Promise<readonly number[]> {
  const readPriority = askOnce(
    async ({ conversationId: conversation, topic }: MessageMeta) => {
      if (topic === undefined) return 0
      const use = await readTopicUse(
        { store, options: topics, now: now() },
        { workspace, conversation },
        topic,
      )
      return use?.priority ?? 0
    },
    ({ conversationId, topic }) => JSON.stringify([conversationId, topic]),
  )
  return Promise.all(heads.map(readPriority))
}
