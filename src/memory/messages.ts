import type { Deriver } from '../derive/deriver.ts'
import { definedFields } from '../domain/defined-fields.ts'
import { MemoryError } from '../domain/errors.ts'
import { type ConversationId, messageId } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import type { MessageHit, Paginated } from '../domain/search.ts'
import { searchMessages } from '../recall/search/search.ts'
import { acceptConversationId } from '../record/accept.ts'
import { eraseMessage } from '../record/prune.ts'
import type { WorkspaceDeps } from '../record/record.ts'
import { checkLimit } from '../schemas/values.ts'
import type { Erased, MessageRange } from '../store/store.ts'
import { type PageOptions, type PaginatedList, paginate, positionFrom } from './paginate.ts'

/** Which messages to list. Positions are exclusive at both ends. */
export interface MessageListOptions extends Pick<MessageRange, 'after' | 'before'> {
  /**
   * `backwards` starts with the newest: the page holds the last messages, in order of position, and iterating yields
   * the newest message first. @default "forwards"
   */
  readonly direction?: 'forwards' | 'backwards'
  /** @default 100 */
  readonly limit?: number
  readonly cursor?: string
}

export interface MessageSearchOptions extends PageOptions {
  /** Only messages of this conversation. */
  readonly conversationId?: string
  /** @default 20 */
  readonly limit?: number
}

/**
 * The messages of a workspace: `memory.messages`.
 *
 * @example
 * const { items: hits } = await memory.messages.search('lisbon "in may"')
 * for (const { messageId } of hits) console.log(await memory.messages.get(messageId))
 */
export interface Messages {
  /** Messages that contain all words, "quoted phrases" and prefixes (`lis*`), newest first. */
  search(query: string, options?: MessageSearchOptions): PaginatedList<MessageHit>
  get(id: string): Promise<Message | undefined>
  /** Erases the text of a message and of its copies in forks, for good. Its position stays. */
  erase(id: string): Promise<Erased>
}

/**
 * The messages of one conversation: `trip.messages`.
 *
 * @example
 * const { items: latest } = await trip.messages.list({ direction: 'backwards', limit: 10 })
 * for await (const message of trip.messages.list()) console.log(message.position, message.content)
 */
export interface ConversationMessages {
  /** In order, compressed ones included. */
  list(options?: MessageListOptions): PaginatedList<Message>
  /** Undefined if this conversation has no message with that id. */
  get(id: string): Promise<Message | undefined>
  /** Erases the text of a message and of its copies in forks, for good. Its position stays. */
  erase(id: string): Promise<Erased>
}

export function createMessages(deps: WorkspaceDeps, deriver: Deriver): Messages {
  const { store, workspace, limits } = deps
  return {
    search: (query, { conversationId: id, limit, cursor } = {}) =>
      paginate(
        async (from) =>
          searchMessages(store, {
            text: query,
            workspace,
            limit: checkLimit(limit, 20),
            ...definedFields({ cursor: from }),
            ...(id !== undefined && { conversation: acceptConversationId(id, limits) }),
          }),
        { cursor },
      ),
    get: async (id) => store.findMessage(workspace, messageId(id)),
    erase: (id) => eraseAndDerive(deps, deriver, id),
  }
}

export function createConversationMessages(
  deps: WorkspaceDeps,
  deriver: Deriver,
  conversation: ConversationId,
): ConversationMessages {
  const { store, workspace } = deps
  const get = async (id: string) => {
    const message = await store.findMessage(workspace, messageId(id))
    return message?.conversationId === conversation ? message : undefined
  }
  return {
    list: (options) => listMessages(deps, conversation, options),
    get,
    async erase(id) {
      if ((await get(id)) === undefined)
        throw new MemoryError('not-found', `"${conversation}" has no message "${id}"`)
      return eraseAndDerive(deps, deriver, id)
    },
  }
}

/** What is derived from the message is derived again without it, in the background. */
async function eraseAndDerive(deps: WorkspaceDeps, deriver: Deriver, id: string): Promise<Erased> {
  const erased = await eraseMessage(deps, id)
  deriver.wake()
  return erased
}

function listMessages(
  { store, workspace }: WorkspaceDeps,
  conversation: ConversationId,
  { limit, cursor, direction = 'forwards', ...range }: MessageListOptions = {},
): PaginatedList<Message> {
  const isBackwards = direction === 'backwards'
  async function readPage(from: string | undefined): Promise<Paginated<Message>> {
    const size = checkLimit(limit, 100)
    const edge = from === undefined ? {} : { [isBackwards ? 'before' : 'after']: positionFrom(from) }
    // One message more than the page holds shows whether there is another page.
    const found = await store.messages({
      workspace,
      conversation,
      ...range,
      ...edge,
      direction,
      limit: size + 1,
    })
    const items = isBackwards ? found.slice(-size) : found.slice(0, size)
    const last = isBackwards ? items[0] : items.at(-1)
    return found.length > size && last !== undefined ? { items, next: String(last.position) } : { items }
  }
  return paginate(readPage, { cursor, ...(isBackwards && { order: (items) => items.toReversed() }) })
}
