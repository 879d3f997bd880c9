import type { ContextDeps } from '../context/context.ts'
import type { Deriver } from '../derive/deriver.ts'
import { definedFields } from '../domain/defined-fields.ts'
import type { WorkspaceId } from '../domain/ids.ts'
import { workspaceId } from '../domain/ids.ts'
import type { Embedder, Models, Tokenizer } from '../model/models.ts'
import { usableTokens } from '../options/context-options.ts'
import type { ResolvedConfig } from '../options/options.ts'
import { acceptConversationId, acceptName } from '../record/accept.ts'
import { type ExportOptions, exportText } from '../record/export/export.ts'
import type { Imported, ImportOptions } from '../record/import/imported.ts'
import { type Pruned, type PruneOptions, prune } from '../record/prune.ts'
import type { WorkspaceDeps } from '../record/record.ts'
import type { Change } from '../store/changes.ts'
import type { Erased, Store, StoreStatistics } from '../store/store.ts'
import { createBlocks, type MemoryBlocks } from './blocks.ts'
import { type ContextRecall, createContextSources } from './context-sources.ts'
import { type ConversationMemory, createConversation } from './conversation.ts'
import { type Conversations, createConversations } from './conversations.ts'
import { createDocuments, type Documents } from './documents.ts'
import { createEntities, type Entities } from './entities.ts'
import { createFacts, type Facts, keepForeignFacts } from './facts.ts'
import { createFeedback, type Feedback } from './feedback.ts'
import type { ImportInput } from './import-file/import-file.ts'
import { createKeys, type Keys } from './keys.ts'
import { type Activity, createJobs, type Jobs, readActivity } from './maintenance.ts'
import { createMessages, type Messages } from './messages.ts'
import { createNotes, type Notes } from './notes.ts'
import { createPage, createPages, createQueries, type PageMemory, type Pages, type Queries } from './page.ts'
import { createPreferences, type Preferences } from './preferences.ts'
import { createRecall, type Recall } from './recall.ts'
import { createRewriter } from './rewrite-question.ts'
import type { VectorStoreInUse } from './vector-mirror.ts'

/** What changed, without its content. */
export type MemoryChange = Omit<Change, 'workspace'>

/**
 * The memory of one user or team: `memory.workspace(userId)`. A workspace sees only its own data.
 *
 * @example
 * const ada = memory.workspace('ada')
 * await ada.conversation('trip').record({ role: 'user', content: 'My cat is called Miso.' })
 * const { items } = await ada.recall('What is the name of my cat?')
 */
export interface Workspace extends Recall {
  readonly workspaceId: WorkspaceId
  /** The default budget of a context: what the option `context.window` leaves. */
  readonly budgetTokens: number
  readonly conversations: Conversations
  readonly messages: Messages
  readonly facts: Facts
  readonly preferences: Preferences
  readonly blocks: MemoryBlocks
  readonly notes: Notes
  readonly entities: Entities
  readonly documents: Documents
  readonly pages: Pages
  readonly queries: Queries
  readonly feedback: Feedback
  readonly keys: Keys
  readonly jobs: Jobs
  /** A conversation by an id of your choice. Nothing is read or written yet. */
  conversation(id: string): ConversationMemory
  /** A page of your application by an id of your choice. Nothing is read or written yet. */
  page(id: string): PageMemory
  /** The workspace as text, in pieces: JSON that `import` reads without loss, or Markdown. */
  export(options?: ExportOptions): AsyncIterable<string>
  /**
   * Imports what `export` wrote as JSON, or the chats of another program: ChatGPT, Claude, LibreChat, Open WebUI,
   * OpenAI messages, mem0. Takes the path of a file, archive or folder, several paths, or a stream. Importing twice
   * adds nothing. Entries that cannot be imported are reported and skipped.
   *
   * @example
   * const ada = memory.workspace('ada')
   * const { conversations, problems } = await ada.import(memory.export())
   */
  import(input: ImportInput, options?: ImportOptions): Promise<Imported>
  /** Archives or erases conversations that were not used for a while. */
  prune(options?: PruneOptions): Promise<Pruned>
  /** Erases everything in this workspace, for good. */
  erase(): Promise<Erased>
  statistics(): Promise<StoreStatistics>
  /** Activity of the last days (UTC), today included, oldest first. @default 30 days */
  activity(options?: { readonly days?: number }): Promise<Activity>
  /**
   * Calls back when something changes, whichever process wrote it: which conversation, page or document, or that
   * everything should be read again. Resolves to a function that stops it.
   */
  watch(onChange: (change: MemoryChange) => void): Promise<() => void>
  /** Resolves when nothing is left to derive. */
  whenDerived(): Promise<void>
}

export interface MemoryDeps {
  readonly store: Store
  readonly options: ResolvedConfig
  readonly deriver: Deriver
  readonly models: Models
  /** Missing if all vectors are in the store. */
  readonly vectorStore?: VectorStoreInUse
  readonly builtInEmbedder: Embedder
  readonly loadRelatedWords: () => Promise<(word: string) => readonly string[]>
  readonly loadTokenizer: () => Promise<Tokenizer>
  /** Resolves when calls in progress no longer wait for anything but the store. */
  readonly whenIdle: () => Promise<unknown>
  readonly now: () => Date
}

export function createWorkspace(parts: MemoryDeps, id: string): Workspace {
  const { store, options, deriver, now } = parts
  const { limits } = options
  const workspace = workspaceId(acceptName(id, { what: 'a workspace', most: limits.idCharacters }))
  const deps: WorkspaceDeps = { ...parts, workspace, limits, rag: options.rag }
  const rewrite = createRewriter({ ...parts, recorder: deps })
  const recall = createRecall({
    ...parts,
    rewrite,
    ...definedFields({ vectorSearch: parts.vectorStore?.search }),
    recorder: deps,
  })
  const contextMaker = toContextDeps(parts, deps, { ...recall, rewrite })
  return {
    workspaceId: workspace,
    budgetTokens: usableTokens(options.context.window),
    ...createNouns(deps, parts),
    ...recall,
    conversation: (name) =>
      createConversation({ ...parts, recorder: deps, contextMaker }, acceptConversationId(name, limits)),
    page: (name) => createPage(deps, options.history, name),
    export: (request = {}) => exportText(store, { workspace, now: now() }, request),
    async import(input, request) {
      const [{ importChats }, { importFrom }] = await Promise.all([
        import('../record/import/import-export.ts'),
        import('./import-file/import-file.ts'),
      ])
      const target = { ...deps, keepFact: keepForeignFacts(deps) }
      const imported = await importFrom((pieces, rest) => importChats(target, pieces, rest), input, request)
      deriver.wake()
      return imported
    },
    prune: (request = {}) =>
      prune(store, { unusedDays: options.retention.unusedDays, ...request, workspace, now: now() }),
    erase: () => store.eraseWorkspace(workspace),
    statistics: () => store.statistics(workspace),
    activity: (request) => readActivity(deps, request),
    watch: (onChange) =>
      store.watch({ workspace, onChange: ({ workspace: _, ...change }) => onChange(change) }),
    async whenDerived() {
      await deriver.whenDone()
      await parts.vectorStore?.whenDone()
    },
  }
}

function createNouns(deps: WorkspaceDeps, { deriver, options }: MemoryDeps) {
  return {
    conversations: createConversations(deps),
    messages: createMessages(deps, deriver),
    facts: createFacts(deps),
    preferences: createPreferences(deps),
    blocks: createBlocks(deps),
    notes: createNotes(deps, options.notes.expireDays),
    entities: createEntities(deps),
    documents: createDocuments(deps),
    pages: createPages(deps),
    queries: createQueries(deps),
    feedback: createFeedback(deps),
    keys: createKeys(deps),
    jobs: createJobs(deps, deriver),
  }
}

function toContextDeps(parts: MemoryDeps, deps: WorkspaceDeps, recall: ContextRecall): ContextDeps {
  const { options } = parts
  return {
    ...parts,
    options: {
      ...options.context,
      summaryTokens: options.summary.maxTokens,
      memoryTokens: options.context.memoryTokens,
      finalChunks: options.rag.finalChunks,
    },
    sources: createContextSources(deps, options, recall),
  }
}
