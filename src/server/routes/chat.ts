import { z } from 'zod'
import { definedFields } from '../../domain/defined-fields.ts'
import { type ChatEvent, type ChatOptions, type Content, MemoryError, type Part } from '../../index.ts'
import { chatBody, type UiCall } from '../../schemas/chat.ts'
import type { Input } from '../../schemas/values.ts'
import { proxyChat, proxyModels } from '../proxy/proxy.ts'
import { route, routesOf, stream } from '../route.ts'
import type { ServerParts } from '../server-parts.ts'
import { type Chunk, debugLines, streamEvents, UiStream } from '../ui-stream.ts'

export const chatRoutes = routesOf('Chat', [
  route.post('/api/conversations/{conversationId}/chat', {
    operation: 'chat',
    summary: 'Runs one complete turn: records the message, recalls, streams the answer and records it.',
    about:
      'Streams server-sent events in the UI message stream protocol of the AI SDK, so `useChat` works unchanged; the body has a short form too. Closing the stream stops the answer; the text so far is kept. Creates the conversation if it does not exist.',
    scope: 'write',
    body: chatBody,
    answer: stream('The answer in parts, while it is generated.', 'text/event-stream'),
    async handle({ memory, params, body, server }) {
      const stopping = new AbortController()
      const request = { ...toChatRequest(body), signal: stopping.signal }
      const events = memory.conversation(params.conversationId).chat(request)
      // The question is recorded before the stream starts, so an invalid request still gets an error status.
      const first = await events.next()
      const isDebugging = body.debug ?? server.options.debug
      return streamEvents(
        server,
        (signal) => {
          signal.addEventListener('abort', () => stopping.abort(signal.reason), { once: true })
          return toLines(server, { first, events, isDebugging })
        },
        { 'x-vercel-ai-ui-message-stream': 'v1' },
      )
    },
  }),
])

interface TurnStream {
  readonly first: IteratorResult<ChatEvent, void>
  readonly events: AsyncGenerator<ChatEvent, void>
  readonly isDebugging: boolean
}

async function* toLines(server: ServerParts, { first, events, isDebugging }: TurnStream) {
  const ui = new UiStream()
  try {
    for (let next = first; !next.done; next = await events.next()) {
      note(server, next.value)
      if (isDebugging) yield* debugLines(next.value)
      yield* ui.tell(next.value).map(toLine)
    }
  } catch (error) {
    yield* ui.fail(error).map(toLine)
  }
  yield 'data: [DONE]\n\n'
}

const toLine = (chunk: Chunk): string => `data: ${JSON.stringify(chunk)}\n\n`

function note({ metrics }: ServerParts, event: ChatEvent): void {
  if (event.type === 'recorded') metrics.recorded(1)
  if (event.type === 'remembered') {
    metrics.contextMade(event.receipt, event.contextMs / 1000)
    if (event.recallMs !== undefined) metrics.recalled(event.recallMs / 1000)
  }
  if (event.type === 'answered') metrics.answeredTurn(event)
}

// The body of a chat request: our own short form, or the form that `useChat` of the AI SDK sends. Of the
// messages in the latter, only the last one counts: the others are already recorded, whatever the page still
// shows.

function toChatRequest({ debug: _, ...body }: Input<typeof chatBody>): ChatOptions {
  if (!('messages' in body)) return body
  // Pages may add fields that we do not know.
  const { budgetTokens, window, system, memory, memoryTokens, now, scope, pageId } = body
  const { webSearch, maxTokens, temperature } = body
  const settings = definedFields({
    ...{ budgetTokens, window, system, memory, memoryTokens, now, scope, pageId },
    ...{ webSearch, maxTokens, temperature },
  })
  return { ...settings, ...fromUi(body) }
}

/** A message sent again with the same id was edited, or should be answered again; its text decides which. */
function fromUi({ messages, trigger, messageId }: UiCall): ChatOptions {
  const last = messages.findLast(({ role }) => role === 'user')
  if (last === undefined) throw new MemoryError('invalid-input', 'no user message in `messages`')
  const message = { content: toContent(last.parts.flatMap(toPart)) }
  const isAgain = trigger === 'regenerate-message' || (messageId !== undefined && messageId === last.id)
  if (isAgain && last.id !== undefined && last.id !== '') return { message, edits: last.id }
  return { message: { ...message, ...(last.id !== undefined && last.id !== '' && { id: last.id }) } }
}

function toContent(parts: readonly Part[]): Content {
  const [first, ...others] = parts
  if (first === undefined) throw new MemoryError('invalid-input', 'the message is empty')
  return first.type === 'text' && others.length === 0 ? first.text : parts
}

/** Drops parts that only matter to the page. */
function toPart(part: Readonly<Record<string, unknown>>): readonly Part[] {
  const { type, text, url, mediaType, filename } = part
  if (type === 'text' && typeof text === 'string') return text.trim() === '' ? [] : [{ type, text }]
  if (type !== 'file' || typeof url !== 'string') return []
  const media = typeof mediaType === 'string' ? { mediaType } : {}
  if (typeof mediaType === 'string' && mediaType.startsWith('image/'))
    return [{ type: 'image', url, ...media }]
  return [{ type: 'file', url, ...media, ...(typeof filename === 'string' && { name: filename }) }]
}

/** The fields of a request that the proxy reads. All others are forwarded unchanged. */
const chatRequest = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ role: z.string() })),
  stream: z.boolean().optional(),
  tools: z.array(z.looseObject({})).optional(),
  user: z.string().optional().meta({ description: "The conversation, for clients that can't set headers." }),
})

/** The endpoints that OpenAI clients call. */
export const proxyRoutes = routesOf('Proxy', [
  route.post('/v1/chat/completions', {
    operation: 'completeChat',
    summary: "OpenAI's chat completions, with memory added.",
    about:
      'Forwarded to the upstream server, whose errors are passed on; 404 if none is configured. The headers `X-Recollect-Conversation`, `X-Recollect-Memory`, `X-Recollect-Budget` and `X-Recollect-Memory-Tokens` control the memory. The Recollect key can be sent as `X-Recollect-Key`.',
    scope: 'write',
    passthrough: true,
    body: chatRequest,
    answer: stream('The response of the upstream server.', 'application/json', 'text/event-stream'),
    handle: (call) => proxyChat(call),
  }),
  route.get('/v1/models', {
    operation: 'listModelsBehind',
    summary: 'Lists the models of the upstream server.',
    scope: 'write',
    passthrough: true,
    answer: stream('The response of the upstream server.', 'application/json'),
    handle: (call) => proxyModels(call),
  }),
])
