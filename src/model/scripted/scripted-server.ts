// A real HTTP server on this machine with OpenAI's chat completions (streams and tool calls included),
// embeddings and list of models, `/rerank`, and SearXNG's `/search`. It misbehaves on demand: late, cut off,
// with any status and headers, empty, or with any body. It records all requests.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ScriptedReply,
  type ScriptedRequest,
  type ScriptedStep,
  wordOverlap,
  wordVector,
} from './scripted-models.ts'

export interface ScriptedServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  /** All requests, in order. */
  readonly requests: readonly ScriptedRequest[]
  /** Replies for the next requests, one each; after them, the server generates plausible responses. */
  next(...steps: readonly ScriptedStep[]): void
  /** The reply for every request without a scripted one. */
  always(step: ScriptedStep): void
  close(): Promise<void>
}

export async function startScriptedServer(...steps: readonly ScriptedStep[]): Promise<ScriptedServer> {
  const requests: ScriptedRequest[] = []
  const script = [...steps]
  let usual: ScriptedStep = {}
  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    const request = await readRequest(incoming)
    requests.push(request)
    const step = script.shift() ?? usual
    const reply = typeof step === 'function' ? step(request) : step
    await answer(request, reply, response)
  }
  const server = createServer((incoming, response) => {
    // The client disconnected, or the script threw: either way there is no response.
    serve(incoming, response).catch((error: unknown) => response.destroy(toError(error)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    next: (...more) => void script.push(...more),
    always: (step) => {
      usual = step
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

async function readRequest(incoming: IncomingMessage): Promise<ScriptedRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const url = new URL(incoming.url ?? '/', 'http://127.0.0.1')
  return {
    method: incoming.method ?? '',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: incoming.headers as Record<string, string>,
    body: toBody(Buffer.concat(chunks).toString('utf8')),
    at: Date.now(),
  }
}

function toBody(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}

async function answer(
  request: ScriptedRequest,
  reply: ScriptedReply,
  response: ServerResponse,
): Promise<void> {
  if (reply.delayMs !== undefined) await sleep(reply.delayMs)
  const hasBody = reply.body !== undefined || reply.json !== undefined || (reply.status ?? 200) >= 400
  if (!hasBody && request.body?.stream === true) return stream(request, reply, response)
  const { status, text } = toText(request, reply)
  response.writeHead(status, { 'content-type': 'application/json', ...reply.headers })
  if (reply.cutAfter === undefined) response.end(text)
  else cut(response, text.slice(0, reply.cutAfter))
}

function toText(request: ScriptedRequest, reply: ScriptedReply): { status: number; text: string } {
  const { status = 200, body, json } = reply
  if (body !== undefined) return { status, text: body }
  if (json !== undefined) return { status, text: JSON.stringify(json) }
  if (status >= 400) return { status, text: JSON.stringify({ error: { message: `scripted ${status}` } }) }
  const made = answerTo(request, reply)
  if (made !== undefined) return { status, text: JSON.stringify(made) }
  return { status: 404, text: JSON.stringify({ error: { message: `nothing at ${request.path}` } }) }
}

async function stream(
  request: ScriptedRequest,
  reply: ScriptedReply,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(reply.status ?? 200, { 'content-type': 'text/event-stream', ...reply.headers })
  const events = toEvents(request, reply)
  for (const event of events.slice(0, reply.cutAfter ?? events.length)) {
    if (response.destroyed) return
    response.write(event)
    if (reply.pieceDelayMs !== undefined) await sleep(reply.pieceDelayMs)
  }
  if (reply.cutAfter === undefined) response.end()
  else cut(response, '')
}

/** Written data must be sent before the connection is closed. */
function cut(response: ServerResponse, text: string): void {
  response.write(text === '' ? ' ' : text, () => setTimeout(() => response.destroy(), 20))
}

// The responses of an OpenAI-compatible server, from a script if there is one, else generated from the
// request's text.

const DIMENSIONS = 64

/** As Ollama lists installed models. */
const OLLAMA_MODELS = [
  { name: 'nomic-embed-text:latest', details: { family: 'nomic-bert' } },
  { name: 'scripted:latest', details: { family: 'llama' } },
]

/** The JSON for a request without a scripted body; undefined for an unknown path. */
function answerTo(request: ScriptedRequest, reply: ScriptedReply): unknown {
  const path = request.path.replace(/^\/v\d+(?=\/)/, '')
  if (path === '/chat/completions') return toCompletion(request, reply)
  if (path === '/embeddings') return toEmbeddings(request)
  if (path === '/rerank') return toRanking(request)
  if (path === '/models') return { object: 'list', data: [{ id: 'scripted', object: 'model' }] }
  if (path === '/api/tags') return { models: OLLAMA_MODELS }
  if (path === '/search') return { query: request.query['q'], results: [] }
  return undefined
}

function toCompletion(request: ScriptedRequest, reply: ScriptedReply): unknown {
  const content = piecesOf(request, reply).join('')
  const calls = toToolCalls(reply)
  return {
    id: 'chatcmpl-scripted',
    object: 'chat.completion',
    created: Math.floor(request.at / 1000),
    model: request.body?.model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) },
        finish_reason: finishOf(reply),
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }
}

/** The events of a streamed completion, each ready to be sent. */
function toEvents(request: ScriptedRequest, reply: ScriptedReply): string[] {
  const chunk = (delta: unknown, finish: string | null = null) =>
    `data: ${JSON.stringify({
      id: 'chatcmpl-scripted',
      object: 'chat.completion.chunk',
      created: Math.floor(request.at / 1000),
      model: request.body?.model,
      choices: [{ index: 0, delta, finish_reason: finish }],
    })}\n\n`
  const calls = toToolCalls(reply).map((call, index) => ({ index, ...call }))
  return [
    ...piecesOf(request, reply).map((content) => chunk({ role: 'assistant', content })),
    ...(calls.length > 0 ? [chunk({ role: 'assistant', tool_calls: calls })] : []),
    chunk({}, finishOf(reply)),
    'data: [DONE]\n\n',
  ]
}

/** Without a script, the model repeats the last message. */
function piecesOf(request: ScriptedRequest, { text, toolCalls }: ScriptedReply): readonly string[] {
  if (typeof text === 'string') return text.match(/\s*\S+|\s+$/g) ?? ['']
  if (text !== undefined) return text
  if (toolCalls !== undefined) return []
  const content: unknown = request.body?.messages?.at(-1)?.content
  return [`You said: ${typeof content === 'string' ? content : JSON.stringify(content)}`]
}

const finishOf = ({ finishReason, toolCalls }: ScriptedReply): string =>
  finishReason ?? (toolCalls === undefined ? 'stop' : 'tool_calls')

function toToolCalls({ toolCalls = [] }: ScriptedReply): object[] {
  return toolCalls.map(({ id, name, arguments: given }, i) => ({
    id: id ?? `call_${i + 1}`,
    type: 'function',
    function: { name, arguments: given },
  }))
}

function toEmbeddings({ body }: ScriptedRequest): unknown {
  const texts: readonly string[] = [body?.input ?? []].flat()
  const dimensions = body?.dimensions ?? DIMENSIONS
  const data = texts.map((text, index) => ({
    object: 'embedding',
    index,
    embedding: wordVector(text, dimensions),
  }))
  return { object: 'list', model: body?.model, data, usage: { prompt_tokens: 1, total_tokens: 1 } }
}

function toRanking({ body }: ScriptedRequest): unknown {
  const documents: readonly string[] = body?.documents ?? []
  const results = documents.map((text, index) => ({ index, relevance_score: wordOverlap(body.query, text) }))
  return { model: body?.model, results: results.toSorted((a, b) => b.relevance_score - a.relevance_score) }
}
