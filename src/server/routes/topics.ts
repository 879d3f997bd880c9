import { z } from 'zod'
import type { Topic, TopicContext, TopicCurve } from '../../index.ts'
import { topicChanges } from '../../schemas/conversation.ts'
import { topicContext, topicCurves } from '../../schemas/lists.ts'
import { object } from '../../schemas/values.ts'
import type { WireSchema } from '../../schemas/wire.ts'
import { created, needConversation, notFound, ok, route, routesOf } from '../route.ts'
import { id, type MessageWithTopic, message, summary, time } from '../schemas/responses.ts'
import { withTopics } from './conversations.ts'

const topic: WireSchema<Topic> = z
  .object({
    id: z.string().meta({ description: 'The id of its first message.' }),
    conversationId: z.string(),
    title: z.string(),
    tags: z.array(z.string()),
    state: z.enum(['current', 'live', 'archived']),
    isPinned: z.boolean(),
    importance: z.number(),
    priority: z.number(),
    halfLifeDays: z.number(),
    memoryType: z.enum(['short-term', 'transitioning', 'long-term']),
    accessCount: z.int(),
    totalMessages: z.int(),
    activeMessages: z.int(),
    compressedMessages: z.int(),
    messageIds: z.array(z.string()),
    createdAt: time,
    lastUsedAt: time,
    ageMs: z.number(),
    idleMs: z.number(),
  })
  .meta({ id: 'Topic' })

const topicCurve: WireSchema<TopicCurve> = z
  .object({ topicId: z.string(), points: z.array(z.object({ at: time, priority: z.number() })) })
  .meta({ id: 'TopicCurve' })

const topicPrompt: WireSchema<TopicContext & { readonly messages: readonly MessageWithTopic[] }> = z
  .object({
    topicId: z.string(),
    title: z.string(),
    summary: z.string(),
    messages: z.array(message),
    text: z.string(),
    tokens: z.int(),
  })
  .meta({ id: 'TopicContext' })

export const topicRoutes = routesOf('Topics', [
  route.get('/api/conversations/{conversationId}/topics', {
    operation: 'listTopics',
    summary: 'Lists the topics of a conversation by last use, archived ones included.',
    scope: 'read',
    answer: ok(z.object({ topics: z.array(topic) })),
    async handle({ memory, params }) {
      const { handle } = await needConversation(memory, params.conversationId)
      return { topics: await handle.topics.list().toArray() }
    },
  }),
  route.post('/api/conversations/{conversationId}/topics', {
    operation: 'splitTopic',
    summary: 'Splits messages off into a new topic.',
    scope: 'write',
    body: object('the request', { messageIds: z.array(id).min(1).max(10_000) }).meta({ id: 'TopicSplit' }),
    answer: created(topic),
    handle: async ({ memory, params, body }) =>
      memory.conversation(params.conversationId).topics.split(body.messageIds),
  }),
  route.get('/api/conversations/{conversationId}/topic-curves', {
    operation: 'drawTopicCurves',
    summary: "Returns each topic's priority over time.",
    scope: 'read',
    query: topicCurves,
    answer: ok(z.object({ curves: z.array(topicCurve) })),
    async handle({ memory, params, query }) {
      const { handle } = await needConversation(memory, params.conversationId)
      return { curves: await handle.topics.curves(query) }
    },
  }),
  route.get('/api/conversations/{conversationId}/topics/{topicId}', {
    operation: 'getTopic',
    summary: 'Gets a topic.',
    scope: 'read',
    answer: ok(topic),
    async handle({ memory, params }) {
      const found = await memory.conversation(params.conversationId).topics.get(params.topicId)
      if (found !== undefined) return found
      throw notFound(`there is no topic "${params.topicId}" in "${params.conversationId}"`)
    },
  }),
  route.patch('/api/conversations/{conversationId}/topics/{topicId}', {
    operation: 'changeTopic',
    summary: 'Renames, tags or pins a topic, or sets its importance.',
    scope: 'write',
    body: topicChanges,
    answer: ok(topic),
    handle: async ({ memory, params, body }) =>
      memory.conversation(params.conversationId).topics.update(params.topicId, body),
  }),
  route.get('/api/conversations/{conversationId}/topics/{topicId}/messages', {
    operation: 'listTopicMessages',
    summary: 'Lists all messages of a topic in order, compressed ones included.',
    scope: 'read',
    answer: ok(z.object({ messages: z.array(message) })),
    async handle({ memory, params }) {
      const handle = memory.conversation(params.conversationId)
      return { messages: await withTopics(handle, await handle.topics.messages(params.topicId).toArray()) }
    },
  }),
  route.post('/api/conversations/{conversationId}/topics/{topicId}/messages', {
    operation: 'moveMessage',
    summary: 'Moves a message of the conversation to this topic.',
    scope: 'write',
    body: object('the request', { messageId: id }).meta({ id: 'MessageMove' }),
    answer: ok(topic),
    handle: async ({ memory, params, body }) =>
      memory.conversation(params.conversationId).topics.moveMessage(body.messageId, params.topicId),
  }),
  route.post('/api/conversations/{conversationId}/topics/{topicId}/merge', {
    operation: 'mergeTopics',
    summary: 'Merges another topic into this one.',
    scope: 'write',
    body: object('the request', { from: id.meta({ description: 'The id of the other topic.' }) }).meta({
      id: 'TopicMerge',
    }),
    answer: ok(topic),
    handle: async ({ memory, params, body }) =>
      memory.conversation(params.conversationId).topics.merge(params.topicId, body.from),
  }),
  route.post('/api/conversations/{conversationId}/topics/{topicId}/restore', {
    operation: 'restoreTopic',
    summary: 'Restores a faded topic, as if it had just been mentioned.',
    scope: 'write',
    answer: ok(topic),
    handle: async ({ memory, params }) =>
      memory.conversation(params.conversationId).topics.restore(params.topicId),
  }),
  route.delete('/api/conversations/{conversationId}/topics/{topicId}/restore', {
    operation: 'undoRestoreTopic',
    summary: 'Undoes the last restore, unless the topic was used since.',
    scope: 'write',
    answer: ok(topic),
    handle: async ({ memory, params }) =>
      memory.conversation(params.conversationId).topics.undoRestore(params.topicId),
  }),
  route.get('/api/conversations/{conversationId}/topics/{topicId}/context', {
    operation: 'getTopicContext',
    summary: 'Gets a topic as a part of a prompt: its summary and its uncompressed or restored messages.',
    scope: 'read',
    query: topicContext,
    answer: ok(topicPrompt),
    async handle({ memory, params, query }) {
      const handle = memory.conversation(params.conversationId)
      const context = await handle.topics.context(params.topicId, query)
      return { ...context, messages: await withTopics(handle, context.messages) }
    },
  }),
  route.get('/api/conversations/{conversationId}/topics/{topicId}/summary', {
    operation: 'summarizeTopic',
    summary: 'Summarizes a topic, with the language model if there is one.',
    scope: 'read',
    answer: ok(z.object({ summary })),
    handle: async ({ memory, params }) => ({
      summary: await memory.conversation(params.conversationId).topics.summary(params.topicId),
    }),
  }),
])
