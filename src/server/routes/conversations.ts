import { z } from 'zod'
import { definedFields } from '../../domain/defined-fields.ts'
import {
  type Conversation,
  type ConversationMemory,
  type Erased,
  type ForkOptions,
  isMemoryError,
  type Message,
  type MessageListOptions,
  type Workspace,
} from '../../index.ts'
import { conversationChanges, fork, newConversation } from '../../schemas/conversation.ts'
import { conversationList, messageList } from '../../schemas/lists.ts'
import { newMessages } from '../../schemas/message.ts'
import {
  created,
  idFromKey,
  needConversation,
  notFound,
  nothing,
  ok,
  pageOf,
  route,
  routesOf,
} from '../route.ts'
import { conversation, type MessageWithTopic, message, next } from '../schemas/responses.ts'
import { erased } from '../schemas/upkeep.ts'

export const conversationRoutes = routesOf('Conversations', [
  route.get('/api/conversations', {
    operation: 'listConversations',
    summary: 'Lists conversations by last use, newest first.',
    scope: 'read',
    query: conversationList,
    answer: ok(z.object({ conversations: z.array(conversation), next })),
    handle: async ({ memory, query: { pinned, ...list } }) =>
      pageOf(
        'conversations',
        memory.conversations.list({
          ...list,
          ...definedFields({ isPinned: pinned }),
        }),
      ),
  }),
  route.post('/api/conversations', {
    operation: 'createConversation',
    summary: 'Creates a conversation, with an id of your choice or a generated one.',
    about: 'If it exists, it is returned unchanged.',
    scope: 'write',
    supports: ['idempotency-key'],
    body: newConversation,
    answer: created(conversation),
    handle: async ({ memory, body, idempotencyKey }) =>
      memory.conversations.getOrCreate({ ...idFromKey(idempotencyKey, 'conversation'), ...body }),
  }),
  route.get('/api/conversations/{conversationId}', {
    operation: 'getConversation',
    summary: 'Gets a conversation: title, tags, counts.',
    scope: 'read',
    supports: ['etag'],
    answer: ok(conversation),
    handle: async ({ memory, params }) =>
      (await needConversation(memory, params.conversationId)).conversation,
  }),
  route.patch('/api/conversations/{conversationId}', {
    operation: 'changeConversation',
    summary: 'Renames, tags, pins or archives a conversation; fields left out stay.',
    scope: 'write',
    body: conversationChanges,
    answer: ok(conversation),
    handle: async ({ memory, params, body }) => memory.conversation(params.conversationId).update(body),
  }),
  route.delete('/api/conversations/{conversationId}', {
    operation: 'eraseConversation',
    summary: 'Permanently erases a conversation and its page.',
    about:
      'The header X-Recollect-Erased has the counts. `isScrubbed=false`: another process still reads the old data; `POST /api/finish-erasing` completes the erasure.',
    scope: 'write',
    answer: nothing,
    async handle({ memory, params }) {
      const erased = await memory.conversation(params.conversationId).erase()
      return new Response(null, { status: 204, headers: { 'x-recollect-erased': countErased(erased) } })
    },
  }),
  route.post('/api/conversations/{conversationId}/fork', {
    operation: 'forkConversation',
    summary: 'Creates a conversation with everything up to and including a message.',
    scope: 'write',
    supports: ['idempotency-key'],
    body: fork,
    answer: created(conversation),
    async handle({ memory, params, body, idempotencyKey }) {
      const { messageId, ...fields } = body
      const from = params.conversationId
      const options = { ...idFromKey(idempotencyKey, 'fork', from), ...fields }
      return forkOnce(memory, { from, messageId, options, isRepeatable: idempotencyKey !== undefined })
    },
  }),
])

const countErased = ({ messages, conversations, pages, queries, isScrubbed, copiesIn }: Erased): string =>
  `messages=${messages}; conversations=${conversations}; pages=${pages}; queries=${queries}; copies=${copiesIn.length}; isScrubbed=${isScrubbed}`

interface ForkRequest {
  readonly from: string
  readonly messageId: string
  readonly options: ForkOptions
  readonly isRepeatable: boolean
}

/** A repeated request returns the fork that the first one created. */
async function forkOnce(
  memory: Workspace,
  { from, messageId, options, isRepeatable }: ForkRequest,
): Promise<Conversation> {
  try {
    return await memory.conversation(from).fork(messageId, options)
  } catch (error) {
    if (!isRepeatable || !isMemoryError(error) || error.code !== 'conflict') throw error
    const there = await memory.conversation(options.id ?? '').get()
    if (there?.forkedFrom?.messageId !== messageId) throw error
    return there
  }
}

export const messageRoutes = routesOf('Messages', [
  route.post('/api/conversations/{conversationId}/messages', {
    operation: 'recordMessages',
    summary:
      'Records one or several messages in one transaction; creates the conversation if it does not exist.',
    about: 'Responds once the messages are durable, in the order sent, each with its topic.',
    scope: 'write',
    supports: ['idempotency-key'],
    body: newMessages,
    answer: created(z.object({ messages: z.array(message) })),
    async handle({ memory, params, body, idempotencyKey, server }) {
      const handle = memory.conversation(params.conversationId)
      const recorded = await handle.record(
        'messages' in body ? body.messages : [body],
        definedFields({ key: idempotencyKey }),
      )
      server.metrics.recorded(recorded.length)
      return { messages: await withTopics(handle, recorded) }
    },
  }),
  route.get('/api/conversations/{conversationId}/messages', {
    operation: 'listMessages',
    summary: 'Lists messages in order, compressed ones included.',
    about:
      'Starts at the first message, or after `after`. With `before` alone, or `direction=backwards`, returns the last messages. Pass `next` as `after`, or as `before` when going backwards.',
    scope: 'read',
    supports: ['etag'],
    query: messageList,
    answer: ok(z.object({ messages: z.array(message), next })),
    async handle({ memory, params, query }) {
      const { handle } = await needConversation(memory, params.conversationId)
      return listMessages(handle, query)
    },
  }),
  route.get('/api/conversations/{conversationId}/messages/{messageId}', {
    operation: 'getMessage',
    summary: 'Gets a message.',
    scope: 'read',
    answer: ok(message),
    async handle({ memory, params }) {
      const handle = memory.conversation(params.conversationId)
      const [found] = await withTopics(handle, [await needMessage(handle, params.messageId)])
      return found as MessageWithTopic
    },
  }),
  route.delete('/api/conversations/{conversationId}/messages/{messageId}', {
    operation: 'eraseMessage',
    summary: 'Permanently erases a message and its copies in forks; its position stays.',
    scope: 'write',
    answer: ok(z.object({ erased })),
    async handle({ memory, params }) {
      const { id: found } = await needMessage(memory.conversation(params.conversationId), params.messageId)
      return { erased: await memory.messages.erase(found) }
    },
  }),
])

export async function withTopics(
  handle: ConversationMemory,
  messages: readonly Message[],
): Promise<readonly MessageWithTopic[]> {
  const topics = await handle.topics.idsOf(messages)
  return messages.map((one, i) => ({ ...one, topicId: topics[i] ?? null }))
}

async function needMessage(handle: ConversationMemory, messageId: string): Promise<Message> {
  const found = await handle.messages.get(messageId)
  if (found !== undefined) return found
  throw notFound(`there is no message "${messageId}" in "${handle.id}"`)
}

async function listMessages(handle: ConversationMemory, query: z.output<typeof messageList>) {
  const { limit = 100 } = query
  const direction =
    query.direction ?? (query.before !== undefined && query.after === undefined ? 'backwards' : 'forwards')
  const [after, before] = [await toPosition(handle, query.after), await toPosition(handle, query.before)]
  const range: MessageListOptions = { direction, ...definedFields({ after, before }) }
  // Read one more than requested to find out whether there are more.
  const found = (await handle.messages.list({ ...range, limit: limit + 1 })).items
  const isBackwards = direction === 'backwards'
  const messages = isBackwards ? found.slice(-limit) : found.slice(0, limit)
  const last = isBackwards ? messages[0] : messages.at(-1)
  return {
    messages: await withTopics(handle, messages),
    next: found.length > limit && last !== undefined ? String(last.position) : null,
  }
}

async function toPosition(
  handle: ConversationMemory,
  place: string | number | undefined,
): Promise<number | undefined> {
  if (place === undefined || typeof place === 'number') return place
  if (/^\d{1,15}$/.test(place)) return Number(place)
  return (await needMessage(handle, place)).position
}
