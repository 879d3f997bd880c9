import { z } from 'zod'
import { definedFields } from '../../domain/defined-fields.ts'
import { conversationSearch, messageSearch } from '../../schemas/lists.ts'
import { ok, type Route, route } from '../route.ts'
import { conversationHit, messageHit } from '../schemas/conversation.ts'
import { next } from '../schemas/values.ts'

export const searchRoutes: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/search/messages',
    noun: 'Search',
    operation: 'searchMessages',
    summary: 'Messages that have all the words, newest first.',
    scope: 'read',
    query: messageSearch,
    answer: ok(z.object({ hits: z.array(messageHit), next })),
    async handle({ memory, query: { q: text, ...search } }) {
      const page = await memory.messages.search(text, definedFields(search))
      return { hits: page.items, next: page.next ?? null }
    },
  }),
  route({
    method: 'get',
    path: '/api/search/conversations',
    noun: 'Search',
    operation: 'searchConversations',
    summary: 'Conversations that have all the words in title or tags.',
    scope: 'read',
    query: conversationSearch,
    answer: ok(z.object({ hits: z.array(conversationHit), next })),
    async handle({ memory, query: { q: text, ...search } }) {
      const page = await memory.conversations.search(text, definedFields(search))
      return { hits: page.items, next: page.next ?? null }
    },
  }),
]
