// Connects recall to its sources: the store, and everything derived from messages or added to them.

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
import type { Explanation, RecallAnswer } from '../domain/recall.ts'
import type { Embedder, Models } from '../model/models.ts'
import type { ResolvedConfig } from '../options/options.ts'
import { explain } from '../recall/explain.ts'
import type { ConversationSummary } from '../recall/kinds/find-summaries.ts'
import type { VectorSearch } from '../recall/meaning.ts'
import { type RecallParts, recall } from '../recall/recall.ts'
import { acceptName } from '../record/accept.ts'
import { findRelevant } from '../record/queries/read-history.ts'
import type { WorkspaceDeps } from '../record/record.ts'
import type { RecallOptions } from '../schemas/recall.ts'
import type { MessageMeta } from '../store/recall-store.ts'
import { acceptRecall } from './accept-recall.ts'
import type { QuestionRewriter } from './rewrite-question.ts'

/** Recall, as `memory.recall` and `memory.explain`. */
export interface Recall {
  /**
   * What is known about a question, best first, each item with the reasons for its rank: messages, facts, notes,
   * summaries, chunks of documents, past queries. Reads only.
   *
   * @example
   * const { items } = await memory.recall('Where do we go in May?', { limit: 5 })
   * const same = await memory.recall({ query: 'Where do we go in May?', limit: 5 })
   */
  recall(query: string, options?: RecallOptions): Promise<RecallAnswer>
  recall(options: RecallOptions & RecallQuery): Promise<RecallAnswer>
  /** Explains a recall in sentences: what was searched for, which items were found and why, and which were not. */
  explain(query: string, options?: ExplainOptions): Promise<Explanation>
  explain(options: ExplainOptions & RecallQuery): Promise<Explanation>
}

export interface RecallQuery {
  /** A question in plain words. */
  readonly query: string
}

export interface ExplainOptions extends RecallOptions {
  /** A message to report on, even if it was not found. */
  readonly messageId?: string
}

export interface RecallDeps {
  readonly recorder: WorkspaceDeps
  readonly options: ResolvedConfig
  readonly models: Models
  readonly rewrite: QuestionRewriter
  readonly builtInEmbedder: Embedder
  readonly loadRelatedWords: () => Promise<(word: string) => readonly string[]>
  /** A separate vector store. */
  readonly vectorSearch?: VectorSearch
}

/** Maximum number of page queries, by number of shared words. */
const QUERIES = 10

export function createRecall(parts: RecallDeps): Recall {
  return {
    recall: async (...call: RecallCall<RecallOptions>) => {
      const [text, request] = readCall(call)
      const accepted = await acceptRecall(parts.recorder, parts.options.recall, { text, request })
      return recall(await toParts(parts), accepted)
    },
    explain: async (...call: RecallCall<ExplainOptions>) => {
      const [question, { messageId: id, ...request }] = readCall(call)
      const { recorder, options } = parts
      const accepted = await acceptRecall(recorder, options.recall, { text: question, request })
      const about =
        id === undefined
          ? undefined
          : messageId(acceptName(id, { what: 'a message id', most: recorder.limits.idCharacters }))
      return explain(await recall(await toParts(parts), { ...accepted, ...definedFields({ about }) }), about)
    },
  }
}

type RecallCall<Options> = readonly [query: string | (Options & RecallQuery), options?: Options]

/** A query and its options, in one object or separately. */
function readCall<Options extends object>([query, options]: RecallCall<Options>): readonly [string, Options] {
  if (typeof query !== 'object' || query === null) return [query, options ?? ({} as Options)]
  const { query: text, ...rest } = query
  return [text, rest as unknown as Options]
}

async function toParts({
  recorder,
  options,
  models,
  rewrite,
  builtInEmbedder,
  loadRelatedWords,
  vectorSearch: search,
}: RecallDeps): Promise<RecallParts> {
  const { store, workspace, now } = recorder
  const tokenizer = await recorder.loadTokenizer()
  const moment = now()
  return {
    store,
    options: options.recall,
    builtInEmbedder,
    relatedWords: await loadRelatedWords(),
    ...((!models.isEmbedderBuiltIn || search !== undefined) && {
      vectors: { loadEmbedder: models.loadEmbedder, deriver: VECTORS, ...definedFields({ search }) },
    }),
    ...definedFields({ reranker: models.reranker }),
    countTokens: (text) => tokenizer.count(text),
    now: moment,
    standAlone: rewrite,
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

/** Memoizes `ask`; `nameOf` is the cache key. */
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
  { summary: { everyNMessages } }: ResolvedConfig,
  conversations: readonly ConversationId[],
): Promise<readonly ConversationSummary[]> {
  const found = await Promise.all(
    conversations.map(async (conversation) => {
      const summary = await readRollingSummary(store, { workspace, conversation }, everyNMessages)
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

/** The priorities of the messages' topics, read once per topic. */
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
