import { z } from 'zod'
import { definedFields } from '../../domain/defined-fields.ts'
import { topicCurves } from '../../schemas/lists.ts'
import { topicChanges } from '../../schemas/topic.ts'
import { object } from '../../schemas/values.ts'
import { needConversation, notFound } from '../need.ts'
import { created, ok, type Route, route } from '../route.ts'
import { message } from '../schemas/message.ts'
import { summary } from '../schemas/summary.ts'
import { topic, topicCurve } from '../schemas/topic.ts'
import { id } from '../schemas/values.ts'
import { withTopics } from './messages.ts'

export const topicRoutes: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/conversations/{conversationId}/topics',
    noun: 'Topics',
    operation: 'listTopics',
    summary: 'What the conversation is about, by last use, archived topics included.',
    scope: 'read',
    answer: ok(z.object({ topics: z.array(topic) })),
    async handle({ memory, params }) {
      const { handle } = await needConversation(memory, params.conversationId)
      return { topics: await handle.topics.list().toArray() }
    },
  }),
  route({
    method: 'post',
    path: '/api/conversations/{conversationId}/topics',
    noun: 'Topics',
    operation: 'splitTopic',
    summary: 'Messages of one topic become a topic of their own.',
    scope: 'write',
    body: object('the request', { messageIds: z.array(id).min(1).max(10_000) }).meta({ id: 'TopicSplit' }),
    answer: created(topic),
    handle: async ({ memory, params, body }) =>
      memory.conversation(params.conversationId).topics.split(body.messageIds),
  }),
  route({
    method: 'get',
    path: '/api/conversations/{conversationId}/topic-curves',
    noun: 'Topics',
    operation: 'drawTopicCurves',
    summary: 'How each topic faded and came back: its priority over time.',
    scope: 'read',
    query: topicCurves,
    answer: ok(z.object({ curves: z.array(topicCurve) })),
    async handle({ memory, params, query }) {
      const { handle } = await needConversation(memory, params.conversationId)
      return { curves: await handle.topics.curves(definedFields(query)) }
    },
  }),
  route({
    method: 'get',
    path: '/api/conversations/{conversationId}/topics/{topicId}',
    noun: 'Topics',
    operation: 'getTopic',
    summary: 'One topic.',
    scope: 'read',
    answer: ok(topic),
    async handle({ memory, params }) {
      const found = await memory.conversation(params.conversationId).topics.get(params.topicId)
      if (found !== undefined) return found
      throw notFound(`there is no topic "${params.topicId}" in "${params.conversationId}"`)
    },
  }),
  route({
    method: 'patch',
    path: '/api/conversations/{conversationId}/topics/{topicId}',
    noun: 'Topics',
    operation: 'changeTopic',
    summary: 'Renames, tags or pins a topic, or says how important it is.',
    scope: 'write',
    body: topicChanges,
    answer: ok(topic),
    handle: async ({ memory, params, body }) =>
      memory.conversation(params.conversationId).topics.update(params.topicId, definedFields(body)),
  }),
  route({
    method: 'get',
    path: '/api/conversations/{conversationId}/topics/{topicId}/messages',
    noun: 'Topics',
    operation: 'listTopicMessages',
    summary: 'All messages of a topic in order, compressed or not.',
    scope: 'read',
    answer: ok(z.object({ messages: z.array(message) })),
    async handle({ memory, params }) {
      const handle = memory.conversation(params.conversationId)
      return { messages: await withTopics(handle, await handle.topics.messages(params.topicId).toArray()) }
    },
  }),
  route({
    method: 'post',
    path: '/api/conversations/{conversationId}/topics/{topicId}/messages',
    noun: 'Topics',
    operation: 'moveMessage',
    summary: 'Moves a message of the conversation to this topic.',
    scope: 'write',
    body: object('the request', { messageId: id }).meta({ id: 'MessageMove' }),
    answer: ok(topic),
    handle: async ({ memory, params, body }) =>
      memory.conversation(params.conversationId).topics.moveMessage(body.messageId, params.topicId),
  }),
  route({
    method: 'post',
    path: '/api/conversations/{conversationId}/topics/{topicId}/merge',
    noun: 'Topics',
    operation: 'mergeTopics',
    summary: 'All messages of another topic go to this one.',
    scope: 'write',
    body: object('the request', { from: id.meta({ description: 'The id of the other topic.' }) }).meta({
      id: 'TopicMerge',
    }),
    answer: ok(topic),
    handle: async ({ memory, params, body }) =>
      memory.conversation(params.conversationId).topics.merge(params.topicId, body.from),
  }),
  route({
    method: 'post',
    path: '/api/conversations/{conversationId}/topics/{topicId}/restore',
    noun: 'Topics',
    operation: 'restoreTopic',
    summary: 'Brings a faded topic back, as if somebody had spoken of it now.',
    scope: 'write',
    answer: ok(topic),
    handle: async ({ memory, params }) =>
      memory.conversation(params.conversationId).topics.restore(params.topicId),
  }),
  route({
    method: 'delete',
    path: '/api/conversations/{conversationId}/topics/{topicId}/restore',
    noun: 'Topics',
    operation: 'undoRestoreTopic',
    summary: 'Takes the last restore back, until the topic is used again.',
    scope: 'write',
    answer: ok(topic),
    handle: async ({ memory, params }) =>
      memory.conversation(params.conversationId).topics.undoRestore(params.topicId),
  }),
  route({
    method: 'get',
    path: '/api/conversations/{conversationId}/topics/{topicId}/summary',
    noun: 'Topics',
    operation: 'summarizeTopic',
    summary: 'What was said of a topic, in its own sentences.',
    scope: 'read',
    answer: ok(z.object({ summary })),
    async handle({ memory, params }) {
      return { summary: await memory.conversation(params.conversationId).topics.summary(params.topicId) }
    },
  }),
]
