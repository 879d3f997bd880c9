import type { Conversation } from '../domain/conversation.ts'
import { definedFields } from '../domain/defined-fields.ts'
import { conversationId, newId } from '../domain/ids.ts'
import type { ConversationHit } from '../domain/search.ts'
import { searchConversations } from '../recall/search/search.ts'
import { acceptChanges, acceptConversationId } from '../record/accept.ts'
import type { WorkspaceDeps } from '../record/record.ts'
import type { ConversationChanges } from '../schemas/conversation.ts'
import { checkLimit } from '../schemas/values.ts'
import type { ConversationList } from '../store/store.ts'
import { type PageOptions, type PaginatedList, paginate } from './paginate.ts'

export interface ConversationListOptions extends Pick<ConversationList, 'tag' | 'isPinned'> {
  /** @default "without" */
  readonly archived?: 'without' | 'only' | 'with'
  /** @default 50 */
  readonly limit?: number
  readonly cursor?: string
}

export interface ConversationSearchOptions extends PageOptions {
  /** @default 20 */
  readonly limit?: number
}

/** Fields of a conversation that may be new. */
export interface CreateConversationOptions extends ConversationChanges {
  /** @default a new, sortable id */
  readonly id?: string
}

/**
 * The conversations of a workspace: `memory.conversations`.
 *
 * @example
 * const conversation = await memory.conversations.getOrCreate({ title: 'Holidays', tags: ['travel'] })
 * const { items, next } = await memory.conversations.list({ tag: 'travel' })
 */
export interface Conversations {
  /** Most recently used first. */
  list(options?: ConversationListOptions): PaginatedList<Conversation>
  /** Conversations whose title or tags contain all words, archived ones included. */
  search(query: string, options?: ConversationSearchOptions): PaginatedList<ConversationHit>
  get(id: string): Promise<Conversation | undefined>
  /** Returns the conversation with this id as it is, or creates it with these fields. */
  getOrCreate(fields?: CreateConversationOptions): Promise<Conversation>
}

export function createConversations(deps: WorkspaceDeps): Conversations {
  const { store, workspace, limits, now } = deps
  return {
    list: ({ limit, cursor, archived = 'without', ...filter } = {}) =>
      paginate(
        async (from) =>
          store.listConversations({
            ...filter,
            archived,
            workspace,
            limit: checkLimit(limit, 50),
            ...definedFields({ cursor: from }),
          }),
        { cursor },
      ),
    search: (query, { limit, cursor } = {}) =>
      paginate(
        async (from) =>
          searchConversations(store, {
            text: query,
            workspace,
            limit: checkLimit(limit, 20),
            ...definedFields({ cursor: from }),
          }),
        { cursor },
      ),
    get: async (id) => store.findConversation({ workspace, conversation: conversationId(id) }),
    async getOrCreate({ id, ...fields } = {}) {
      const createdAt = now()
      return store.createConversation({
        workspace,
        conversation: acceptConversationId(id ?? newId(createdAt), limits),
        fields: acceptChanges(fields, { limits, now: createdAt }),
        createdAt,
      })
    },
  }
}
