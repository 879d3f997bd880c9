// `/v1/chat/completions` and `/v1/models`: gives any OpenAI client a memory by changing its base URL.
//
//  1. Messages from the client are recorded once, however often they are sent (place-transcript.ts).
//  2. Memory is inserted into the messages; nothing else is changed (add-memory.ts). If there is nothing to
//     insert, the client's bytes are forwarded unchanged.
//  3. The response is returned byte for byte, with its status and headers. It is read on the way, and the
//     answer is recorded, tool calls included; an interrupted or cancelled answer is marked as such.
//  4. If the memory fails or takes too long, the request never fails: it is forwarded without memory, and a
//     header says so.

import { definedFields } from '../../domain/defined-fields.ts'
import { isMemoryError } from '../../index.ts'
import { readBytes } from '../entrance/read-body.ts'
import { HttpError } from '../http-error.ts'
import type { Call } from '../route.ts'
import type { ServerParts } from '../server-parts.ts'
import { keepAnswer, type PassedAnswer, passOn } from './answer-reader.ts'
import { type ProxyRequest, type RememberedRequest, rememberRequest } from './remember-request.ts'
import type { WireMessage } from './transcript.ts'
import { callUpstream, returnedHeaders } from './upstream.ts'

type ProxyCall = Pick<Call<unknown, unknown, unknown>, 'memory' | 'request' | 'server' | 'destroyConnection'>

export async function proxyModels({ request, server }: ProxyCall): Promise<Response> {
  const signal = server.turns.closing
  const answer = await callUpstream(server.options, { path: '/models', request, signal })
  return new Response(answer.body, { status: answer.status, headers: returnedHeaders(answer, {}) })
}

export async function proxyChat(call: ProxyCall): Promise<Response> {
  const { request, server } = call
  const bytes = await readBytes(request, server.options.bodyBytes)
  const body = parse(bytes)
  const asked = toProxyRequest(request, body)
  const leaving = new AbortController()
  const signal = AbortSignal.any([leaving.signal, server.turns.closing])
  const send = (sent: string | Uint8Array) =>
    callUpstream(server.options, { path: '/chat/completions', request, body: sent, signal })
  const remembering = remember(call, asked)
  // Recording alone does not change the request, so don't wait for it.
  const early = asked?.isRemembered === false ? send(bytes) : undefined
  const [memory, answer] = await Promise.all([
    remembering,
    early ?? remembering.then(({ remembered }) => send(withMemory(remembered, body) ?? bytes)),
  ])
  const headers = returnedHeaders(answer, headersOf(memory))
  const { work } = memory
  if (work === undefined || !answer.ok || answer.body === null)
    return new Response(answer.body, { status: answer.status, headers })
  const passed = passOn(answer.body, {
    contentType: answer.headers.get('content-type'),
    leave: () => leaving.abort(),
    ...definedFields({ destroyConnection: call.destroyConnection }),
    onEnd: (read) => server.turns.keep(keepLater(server, work, read)),
  })
  return new Response(passed, { status: answer.status, headers })
}

/** Even if the memory was too slow for the request, the answer can still be recorded. */
async function keepLater(
  server: ServerParts,
  work: Promise<RememberedRequest | undefined>,
  read: PassedAnswer,
): Promise<void> {
  const remembered = await work
  if (remembered !== undefined) await keepAnswer(server, remembered, read)
}

/** Undefined if the request is forwarded unchanged. */
const withMemory = (
  remembered: RememberedRequest | undefined,
  body: WireMessage | undefined,
): string | undefined => remembered?.messages && JSON.stringify({ ...body, messages: remembered.messages })

/** What the memory did for a request. */
export interface MemoryState {
  readonly state: 'on' | 'off' | 'record' | 'failed'
  readonly why?: string
  readonly remembered?: RememberedRequest
  /** The recorded request that the answer belongs to; missing if there is no answer to record. */
  readonly work?: Promise<RememberedRequest | undefined>
}

/** Never fails: on error or timeout, the request is forwarded without memory. */
async function remember(call: ProxyCall, asked: ProxyRequest | undefined): Promise<MemoryState> {
  const started = performance.now()
  const state: MemoryState = asked === undefined ? { state: 'off' } : await tryToRemember(call, asked)
  const { metrics } = call.server
  metrics.proxied((performance.now() - started) / 1000, state)
  const { recorded = 0, context } = state.remembered ?? {}
  metrics.recorded(recorded)
  if (context !== undefined) metrics.contextMade(context.receipt)
  return state
}

async function tryToRemember({ memory, server }: ProxyCall, asked: ProxyRequest): Promise<MemoryState> {
  await server.turns.settleKept()
  const work = rememberRequest(memory, {
    ...asked,
    budgetTokens: server.corrections.toOwn(asked.model, asked.budgetTokens ?? memory.budgetTokens),
  })
  server.turns.add(work.then((remembered) => remembered?.context?.receiptSaved))
  try {
    const remembered = await within(work, server.options.memoryTimeoutMs)
    return { state: asked.isRemembered ? 'on' : 'record', work, ...definedFields({ remembered }) }
  } catch (error) {
    return { state: 'failed', why: reasonOf(error), ...(error instanceof TooSlow && { work }) }
  }
}

class TooSlow extends Error {}

async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TooSlow(`not ready after ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Safe for a header: plain characters, and no text of messages. */
function reasonOf(error: unknown): string {
  if (isMemoryError(error)) return error.code
  return error instanceof TooSlow ? error.message : 'internal'
}

function headersOf({ state, why, remembered }: MemoryState): Readonly<Record<string, string>> {
  const context = remembered?.context
  const details = [
    state,
    ...(why === undefined ? [] : [why]),
    ...(context === undefined ? [] : [`tokens=${context.receipt.tokens}`, `receipt=${context.receipt.id}`]),
  ]
  return {
    'x-recollect-memory': details.join('; '),
    ...(remembered && { 'x-recollect-conversation': encodeURIComponent(remembered.handle.id) }),
  }
}

/**
 * Undefined if the request should not be remembered, or is not a chat: the upstream server will report what
 * is wrong.
 */
function toProxyRequest(request: Request, body: WireMessage | undefined): ProxyRequest | undefined {
  const wanted = request.headers.get('x-recollect-memory') ?? 'on'
  if (wanted === 'off') return undefined
  const messages = body?.['messages']
  if (!Array.isArray(messages) || !messages.every(isObject)) return undefined
  const { user, tools, model } = body ?? {}
  const header = request.headers.get('x-recollect-conversation')
  const name = header === null ? user : decodeName(header)
  return {
    messages,
    tools: Array.isArray(tools) ? tools : [],
    model: String(model),
    isRemembered: wanted !== 'record',
    ...(typeof name === 'string' && name !== '' && { name }),
    ...definedFields({
      budgetTokens: toCount(request, 'x-recollect-budget'),
      memoryTokens: toCount(request, 'x-recollect-memory-tokens'),
    }),
  }
}

/**
 * Names with non-ASCII characters are percent-encoded; a name with a lone percent sign is taken literally.
 */
function decodeName(header: string): string {
  try {
    return decodeURIComponent(header)
  } catch (error) {
    if (error instanceof URIError) return header
    throw error
  }
}

function toCount({ headers }: Request, name: string): number | undefined {
  const text = headers.get(name)
  if (text === null) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new HttpError('invalid-input', `${name} must be a number of tokens`)
}

const isObject = (value: unknown): value is WireMessage =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parse(bytes: Uint8Array): WireMessage | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return isObject(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined
    throw error
  }
}
