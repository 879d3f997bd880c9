import { z } from 'zod'
import { definedFields } from '../../domain/defined-fields.ts'
import {
  type Conversation,
  type Erased,
  type ForkOptions,
  isMemoryError,
  type Workspace,
} from '../../index.ts'
import { conversationChanges, fork, newConversation } from '../../schemas/conversation.ts'
import { conversationList } from '../../schemas/lists.ts'
import { created, idFromIdempotencyKey, needConversation, nothing, ok, type Route, route } from '../route.ts'
import { conversation, next } from '../schemas/responses.ts'

export const conversationRoutes: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/conversations',
    noun: 'Conversations',
    operation: 'listConversations',
    summary: 'Lists conversations by last use, newest first.',
    scope: 'read',
    query: conversationList,
    answer: ok(z.object({ conversations: z.array(conversation), next })),
    async handle({ memory, query: { pinned, ...list } }) {
      const page = await memory.conversations.list({
        ...definedFields(list),
        ...definedFields({ isPinned: pinned }),
      })
      return { conversations: page.items, next: page.next ?? null }
    },
  }),
  route({
    method: 'post',
    path: '/api/conversations',
    noun: 'Conversations',
    operation: 'createConversation',
    summary: 'Creates a conversation, with an id of your choice or a generated one.',
    about: 'If it exists, it is returned unchanged.',
    scope: 'write',
    supports: ['idempotency-key'],
    body: newConversation,
    answer: created(conversation),
    handle: async ({ memory, body, idempotencyKey }) =>
      memory.conversations.getOrCreate({
        ...definedFields({ id: idFromIdempotencyKey(idempotencyKey, 'conversation') }),
        ...definedFields(body),
      }),
  }),
  route({
    method: 'get',
    path: '/api/conversations/{conversationId}',
    noun: 'Conversations',
    operation: 'getConversation',
    summary: 'Gets a conversation: title, tags, counts.',
    scope: 'read',
    supports: ['etag'],
    answer: ok(conversation),
    handle: async ({ memory, params }) =>
      (await needConversation(memory, params.conversationId)).conversation,
  }),
  route({
    method: 'patch',
    path: '/api/conversations/{conversationId}',
    noun: 'Conversations',
    operation: 'changeConversation',
    summary: 'Renames, tags, pins or archives a conversation; fields left out stay.',
    scope: 'write',
    body: conversationChanges,
    answer: ok(conversation),
    handle: async ({ memory, params, body }) =>
      memory.conversation(params.conversationId).update(definedFields(body)),
  }),
  route({
    method: 'delete',
    path: '/api/conversations/{conversationId}',
    noun: 'Conversations',
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
  route({
    method: 'post',
    path: '/api/conversations/{conversationId}/fork',
    noun: 'Conversations',
    operation: 'forkConversation',
    summary: 'Creates a conversation with everything up to and including a message.',
    scope: 'write',
    supports: ['idempotency-key'],
    body: fork,
    answer: created(conversation),
    async handle({ memory, params, body, idempotencyKey }) {
      const { messageId, ...fields } = body
      const made = idFromIdempotencyKey(idempotencyKey, 'fork', params.conversationId)
      const options = { ...definedFields({ id: made }), ...definedFields(fields) }
      return forkOnce(memory, {
        from: params.conversationId,
        messageId,
        options,
        isRepeatable: made !== undefined,
      })
    },
  }),
]

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
