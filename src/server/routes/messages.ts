import { z } from 'zod'
import { definedFields } from '../../domain/defined-fields.ts'
import type { ConversationMemory, Message, MessageListOptions } from '../../index.ts'
import { messageList } from '../../schemas/lists.ts'
import { newMessages } from '../../schemas/message.ts'
import { needConversation, notFound } from '../need.ts'
import { created, ok, type Route, route } from '../route.ts'
import { type MessageWithTopic, message } from '../schemas/message.ts'
import { erased } from '../schemas/upkeep.ts'
import { next } from '../schemas/values.ts'

export const messageRoutes: readonly Route[] = [
  route({
    method: 'post',
    path: '/api/conversations/{conversationId}/messages',
    noun: 'Messages',
    operation: 'recordMessages',
    summary: 'Records one message or several, all of them or none; makes the conversation if needed.',
    about: 'Answers when the messages would survive a power cut, in the order given, with the topic of each.',
    scope: 'write',
    isRepeatable: true,
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
    summary: 'A stretch of the conversation in order, compressed messages included.',
    about:
      'From the first message on, or after one. With `before` alone, or `direction=backwards`, the last ones. `next` goes into `after`, or into `before` when going backwards.',
    scope: 'read',
    hasEtag: true,
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
    summary: 'One message.',
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
    summary: 'Erases a message, and every copy of it in forks, for good; its position stays.',
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
  throw notFound(`"${handle.id}" has no message "${messageId}"`)
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
