// A real HTTP server on this machine that speaks OpenAI's chat completions (streams and tool calls included),
// embeddings and list of models, `/rerank`, and SearXNG's `/search`, and misbehaves on demand: late, cut off, with any
// status and headers, empty, or with anything for a body. It keeps what it was asked.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerTo, toEvents } from './openai-answers.ts'
import type { ScriptedReply, ScriptedRequest, ScriptedStep } from './scripted-reply.ts'

export interface ScriptedServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  /** Everything that was asked, in order. */
  readonly requests: readonly ScriptedRequest[]
  /** Replies for the next requests, one each; after them, the server answers as well as it can. */
  next(...steps: readonly ScriptedStep[]): void
  /** The reply for every request that has none of its own. */
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
    // A client that went away, or a script that throws: either way nobody gets an answer.
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

/** What was written must be on its way before the connection goes. */
function cut(response: ServerResponse, text: string): void {
  response.write(text === '' ? ' ' : text, () => setTimeout(() => response.destroy(), 20))
}
