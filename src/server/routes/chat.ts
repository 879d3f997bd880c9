import type { ChatEvent } from '../../index.ts'
import { chatBody } from '../../schemas/chat.ts'
import { toChatRequest } from '../chat/chat-body.ts'
import { debugLines } from '../chat/debug-lines.ts'
import { streamEvents } from '../chat/event-stream.ts'
import { type Chunk, UiStream } from '../chat/ui-stream.ts'
import { type Route, route, stream } from '../route.ts'
import type { ServerParts } from '../server-parts.ts'

export const chatRoutes: readonly Route[] = [
  route({
    method: 'post',
    path: '/api/conversations/{conversationId}/chat',
    noun: 'Chat',
    operation: 'chat',
    summary: 'One whole turn: records the question, remembers, streams the answer and records it.',
    about:
      'Server-sent events in the UI message stream protocol of the AI SDK, so that `useChat` works as it is; or a short form of the body. Who leaves the stream stops the answer, and what there was of it is kept. Makes the conversation if needed.',
    scope: 'write',
    body: chatBody,
    answer: stream('The answer as it is written, in parts.', 'text/event-stream'),
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
]

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
  if (event.type === 'remembered') metrics.contextMade(event.receipt)
  if (event.type === 'answered') metrics.answeredTurn(event)
}
