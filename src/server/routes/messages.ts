import { z } from 'zod'
import { definedFields } from '../../domain/defined-fields.ts'
import type { ConversationMemory, Message, MessageListOptions } from '../../index.ts'
import { messageList } from '../../schemas/lists.ts'
import { newMessages } from '../../schemas/message.ts'
import { created, needConversation, notFound, ok, type Route, route } from '../route.ts'
import { type MessageWithTopic, message, next } from '../schemas/responses.ts'
import { erased } from '../schemas/upkeep.ts'

export const messageRoutes: readonly Route[] = [
  route({
    method: 'post',
    path: '/api/conversations/{conversationId}/messages',
    noun: 'Messages',
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
  route({
    method: 'get',
    path: '/api/conversations/{conversationId}/messages',
    noun: 'Messages',
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
  route({
    method: 'get',
    path: '/api/conversations/{conversationId}/messages/{messageId}',
    noun: 'Messages',
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
  route({
    method: 'delete',
    path: '/api/conversations/{conversationId}/messages/{messageId}',
    noun: 'Messages',
    operation: 'eraseMessage',
    summary: 'Permanently erases a message and its copies in forks; its position stays.',
    scope: 'write',
    answer: ok(z.object({ erased })),
    async handle({ memory, params }) {
      const { id: found } = await needMessage(memory.conversation(params.conversationId), params.messageId)
      return { erased: await memory.messages.erase(found) }
    },
  }),
]

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
