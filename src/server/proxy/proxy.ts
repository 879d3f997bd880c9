// `/v1/chat/completions` and `/v1/models`: any OpenAI client gets a memory by changing its base address.
//
//  1. What the client sent is recorded, once, however often it is sent again (place-transcript.ts).
//  2. What is remembered is put into the messages, and nothing else is touched (add-memory.ts). Where there is nothing
//     to add, the very bytes of the client go on.
//  3. The answer's bytes go back as they came, status and headers too. They are read on their way, and the answer is
//     recorded, calls of tools included; one that broke off or was given up is marked so.
//  4. A memory that fails, or takes too long, never fails the request: it goes on without, and a header says so.

import { definedFields } from '../../domain/defined-fields.ts'
import { isMemoryError } from '../../index.ts'
import { readBytes } from '../entrance/read-body.ts'
import { HttpError } from '../http-error.ts'
import type { Call } from '../route.ts'
import type { ServerParts } from '../server-parts.ts'
import { keepAnswer } from './keep-answer.ts'
import { type PassedAnswer, passOn } from './pass-on.ts'
import { type ProxyRequest, type RememberedRequest, rememberRequest } from './remember-request.ts'
import type { WireMessage } from './transcript.ts'
import { callUpstream, returnedHeaders } from './upstream.ts'

type ProxyCall = Pick<Call<unknown, unknown, unknown>, 'memory' | 'request' | 'server' | 'breakOff'>

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
  // What is only recorded changes nothing in the request, and is not waited for.
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
    ...definedFields({ breakOff: call.breakOff }),
    onEnd: (read) => server.turns.keep(keepLater(server, work, read)),
  })
  return new Response(passed, { status: answer.status, headers })
}

/** A memory that was too slow for the request is not too late for the answer. */
async function keepLater(
  server: ServerParts,
  work: Promise<RememberedRequest | undefined>,
  read: PassedAnswer,
): Promise<void> {
  const remembered = await work
  if (remembered !== undefined) await keepAnswer(server, remembered, read)
}

/** Undefined where it goes as it came. */
const withMemory = (
  remembered: RememberedRequest | undefined,
  body: WireMessage | undefined,
): string | undefined => remembered?.messages && JSON.stringify({ ...body, messages: remembered.messages })

/** What became of the memory of a request. */
export interface MemoryState {
  readonly state: 'on' | 'off' | 'record' | 'failed'
  readonly why?: string
  readonly remembered?: RememberedRequest
  /** Where there is an answer to be recorded: what it belongs to, now or soon. */
  readonly work?: Promise<RememberedRequest | undefined>
}

/** Never fails: a request goes on without what could not be remembered. */
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

/** In a header stands nothing but plain characters, and nothing of what was said. */
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

/** Undefined for what is not to be remembered, and for what is no chat: the server behind will say what is wrong with it. */
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

/** Names with letters beyond ASCII come percent-encoded; one with a lone percent sign is meant as it is. */
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
  throw new HttpError('invalid-input', `${name} is not a number of tokens`)
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
