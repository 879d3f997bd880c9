// A table of contents: which step answers which call.

import type { ContextDeps } from '../context/context.ts'
import type { Deriver } from '../derive/deriver.ts'
import type { Conversation, ConversationChanges } from '../domain/conversation.ts'
import { definedFields } from '../domain/defined-fields.ts'
import { conversationId, messageId, newId, type WorkspaceId, workspaceId } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import type { ConversationHit, MessageHit, Paginated } from '../domain/search.ts'
import type { Embedder } from '../model/embedder.ts'
import type { Models } from '../model/models.ts'
import type { Tokenizer } from '../model/tokenizer.ts'
import { usableTokens } from '../options/context-options.ts'
import type { ResolvedConfig } from '../options/options.ts'
import { searchConversations, searchMessages } from '../recall/search/search.ts'
import { acceptName } from '../record/accept-id.ts'
import { acceptLimit } from '../record/accept-limit.ts'
import { eraseMessage } from '../record/erase.ts'
import { type ExportOptions, exportText } from '../record/export/export.ts'
import type { Imported, ImportOptions } from '../record/import/imported.ts'
import { type Pruned, type PruneOptions, prune } from '../record/prune.ts'
import type { WorkspaceDeps } from '../record/record.ts'
import type { ConversationList, Erased, Store } from '../store/store.ts'
import { createContextSources } from './context-sources.ts'
import { type ConversationHandle, openConversation } from './conversation.ts'
import { keepForeignFacts } from './foreign-facts.ts'
import { type KeysHandle, openKeys } from './keys.ts'
import { type Knowledge, openKnowledge } from './knowledge.ts'
import { openUpkeep, type UpkeepHandle } from './maintenance.ts'
import { createPageMemory, type PageMemory } from './page.ts'
import { openRecall, type RecallHandle } from './recall.ts'
import type { VectorStoreInUse } from './vector-mirror.ts'

export interface ListOptions
  extends Pick<Partial<ConversationList>, 'archived' | 'tag' | 'isPinned' | 'cursor'> {
  /** @default 50 */
  readonly limit?: number
}

export interface SearchOptions {
  /** Only messages of this conversation. */
  readonly conversationId?: string
  /** @default 20 */
  readonly limit?: number
  readonly cursor?: string
}

/** The memory of one workspace. */
export interface Memory extends UpkeepHandle, PageMemory, Knowledge, RecallHandle {
  /** Where the words lie. */
  readonly location: string
  readonly workspace: WorkspaceId
  /** A conversation by the id you chose for it; nothing is read or written yet. */
  conversation(id: string): ConversationHandle
  /** A message by its id, wherever in the workspace it is. */
  message(id: string): Promise<Message | undefined>
  /** Makes a conversation under an id of your choice or a made one; returns the one that is there, if any. */
  createConversation(fields?: ConversationChanges & { readonly id?: string }): Promise<Conversation>
  /** By last use, newest first; archived ones only if asked for. */
  conversations(options?: ListOptions): Promise<Paginated<Conversation>>
  /** Messages that have all the words, "phrases" and beginnings (`lis*`), newest first. */
  searchMessages(text: string, options?: SearchOptions): Promise<Paginated<MessageHit>>
  /** Conversations that have them in title or tags. */
  searchConversations(
    text: string,
    options?: Omit<SearchOptions, 'conversationId'>,
  ): Promise<Paginated<ConversationHit>>
  /** Pieces of text, to be written one after the other. */
  export(options?: ExportOptions): AsyncIterable<string>
  /**
   * What `export` wrote as JSON, or the chats of another program: ChatGPT, Claude, LibreChat, Open WebUI, OpenAI's
   * messages, mem0. Importing twice adds nothing; what cannot come in is reported and the rest comes in.
   */
  import(pieces: AsyncIterable<string | Uint8Array>, options?: ImportOptions): Promise<Imported>
  /** Archives or erases conversations that were not used for a while. */
  prune(options?: PruneOptions): Promise<Pruned>
  eraseMessage(id: string): Promise<Erased>
  /** What a context may have where nothing is said: the option `context.window`. */
  readonly budgetTokens: number
  /** Erases the whole workspace. */
  eraseEverything(): Promise<Erased>
  /** Finishes an erase that had to wait for another reader; true when nothing is left. */
  finishErasing(): Promise<boolean>
  /** The memory of another workspace in the same store; closing one closes all. */
  inWorkspace(id: string): Memory
  /** Who may come in from outside. */
  readonly keys: KeysHandle
  workspaces(): Promise<readonly WorkspaceId[]>
  close(): Promise<void>
}

export interface MemoryParts {
  readonly store: Store
  readonly options: ResolvedConfig
  readonly deriver: Deriver
  readonly models: Models
  /** Missing where all vectors lie in the store. */
  readonly vectorStore?: VectorStoreInUse
  readonly builtInEmbedder: Embedder
  readonly loadTokenizer: () => Promise<Tokenizer>
  /** Resolves when what calls under way wait for, before they reach the store, is there. */
  readonly whenIdle: () => Promise<unknown>
  readonly now: () => Date
}

function toContextMaker(parts: MemoryParts, recorder: WorkspaceDeps, recall: RecallHandle): ContextDeps {
  const { options } = parts
  return {
    ...parts,
    options: {
      ...options.context,
      summaryTokens: options.convo.summaryMaxTokens,
      memoryTokens: options.rag.memoryBudget,
      finalChunks: options.rag.finalChunks,
    },
    sources: createContextSources(recorder, options, recall),
  }
}

export function createMemory(parts: MemoryParts): Memory {
  const { store, options, deriver, now } = parts
  const name = (what: string) => ({ what, most: options.limits.idCharacters })
  const workspace = workspaceId(acceptName(options.workspace, name('a workspace')))
  const recorder: WorkspaceDeps = { ...parts, workspace, limits: options.limits, rag: options.rag }
  const vectors = definedFields({ vectorSearch: parts.vectorStore?.search })
  const recall = openRecall({ ...parts, ...vectors, recorder })
  const contextMaker = toContextMaker(parts, recorder, recall)
  const toConversationId = (id: string) => conversationId(acceptName(id, name('a conversation id')))
  const open = (id: string) => openConversation({ ...parts, recorder, contextMaker }, toConversationId(id))
  /** What changed the record leaves something to read, for the background. */
  const thenDerive = async <T>(change: Promise<T>): Promise<T> => {
    const done = await change
    deriver.wake()
    return done
  }
  const toPage = ({ limit, ...rest }: SearchOptions | ListOptions, fallback: number) => {
    return { ...rest, workspace, limit: acceptLimit(limit, fallback) }
  }
  return {
    location: store.location,
    workspace,
    conversation: open,
    message: async (id) => store.findMessage(workspace, messageId(id)),
    ...openUpkeep(recorder, parts),
    createConversation: async ({ id, ...fields } = {}) => open(id ?? newId(now())).create(fields),
    conversations: async (list = {}) => store.listConversations({ archived: 'without', ...toPage(list, 50) }),
    searchMessages: async (text, { conversationId: id, ...search } = {}) =>
      searchMessages(store, {
        text,
        ...toPage(search, 20),
        ...(id !== undefined && { conversation: toConversationId(id) }),
      }),
    searchConversations: async (text, search = {}) =>
      searchConversations(store, { text, ...toPage(search, 20) }),
    ...createPageMemory(recorder, options.history),
    export: (request = {}) => exportText(store, { workspace, now: now() }, request),
    async import(pieces, request) {
      const { importChats } = await import('../record/import/import-chats.ts')
      return thenDerive(importChats({ ...recorder, keepFact: keepForeignFacts(recorder) }, pieces, request))
    },
    prune: (request = {}) =>
      prune(store, { unusedDays: options.retention.unusedDays, ...request, workspace, now: now() }),
    ...openKnowledge(recorder, options),
    ...recall,
    keys: openKeys(recorder),
    eraseMessage: (id) => thenDerive(eraseMessage(recorder, id)),
    budgetTokens: usableTokens(options.context.window),
    eraseEverything: () => store.eraseWorkspace(workspace),
    finishErasing: () => store.scrub(),
    inWorkspace: (id) => createMemory({ ...parts, options: { ...options, workspace: id } }),
    workspaces: () => store.listWorkspaces(),
    async close() {
      await parts.whenIdle()
      await store.close()
    },
  }
}
