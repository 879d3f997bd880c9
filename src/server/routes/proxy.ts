import { z } from 'zod'
import { proxyChat, proxyModels } from '../proxy/proxy.ts'
import { type Route, route, stream } from '../route.ts'

/** The fields of a request that the proxy reads. All others are forwarded unchanged. */
const chatRequest = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ role: z.string() })),
  stream: z.boolean().optional(),
  tools: z.array(z.looseObject({})).optional(),
  user: z.string().optional().meta({ description: 'The conversation, for clients that set no headers.' }),
})

/** The endpoints that OpenAI clients call. */
export const proxyRoutes: readonly Route[] = [
  route({
    method: 'post',
    path: '/v1/chat/completions',
    noun: 'Proxy',
    operation: 'completeChat',
    summary: "OpenAI's chat completions, with a memory.",
    about:
      'Answered by the server behind, its failures too; 404 where there is none. Headers `X-Recollect-Conversation`, `X-Recollect-Memory`, `X-Recollect-Budget` and `X-Recollect-Memory-Tokens` say what is to be remembered. A key to Recollect may stand in `X-Recollect-Key`.',
    scope: 'write',
    isPassedOn: true,
    body: chatRequest,
    answer: stream('As the server behind has it.', 'application/json', 'text/event-stream'),
    handle: (call) => proxyChat(call),
  }),
  route({
    method: 'get',
    path: '/v1/models',
    noun: 'Proxy',
    operation: 'listModelsBehind',
    summary: 'The models of the server behind.',
    scope: 'write',
    isPassedOn: true,
    answer: stream('As the server behind has it.', 'application/json'),
    handle: (call) => proxyModels(call),
  }),
]
