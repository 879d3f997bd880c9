import { z } from 'zod'
import { ok, type Route, route } from '../route.ts'

const inUse = z.object({
  name: z.string(),
  isResting: z.boolean().meta({ description: 'It failed repeatedly and is left alone for a while.' }),
})

export const modelRoutes: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/models',
    noun: 'Server',
    operation: 'getModels',
    summary: 'Which models there are. What is null is done by built-in means.',
    about: 'Models are set by the operator; no request changes them.',
    scope: 'read',
    answer: ok(
      z.object({
        chat: inUse.nullable(),
        embeddings: z.object({ isResting: z.boolean() }).nullable(),
        rerank: inUse.nullable(),
        webSearch: inUse.nullable(),
        hasProxy: z.boolean().meta({ description: 'Whether there is a server behind /v1.' }),
      }),
    ),
    async handle({ server }) {
      const { chat = null, embeddings = null, rerank = null, webSearch = null } = server.memory.models.inUse()
      return { chat, embeddings, rerank, webSearch, hasProxy: server.options.upstreamUrl !== '' }
    },
  }),
]
