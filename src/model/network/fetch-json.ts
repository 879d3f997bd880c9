import { boundedFetch } from './bounded-fetch.ts'
import { CallFailure, failureOfStatus, toCallFailure } from './call-failure.ts'
import type { Endpoint } from './endpoint.ts'

export interface JsonCall {
  /** Below the endpoint's base address. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** Sent as JSON in a POST; without it, a GET. */
  readonly body?: unknown
  readonly signal: AbortSignal | undefined
  readonly mostBytes: number
}

/** One call, and its answer as JSON; anything else is thrown as a `CallFailure`. */
export async function fetchJson(endpoint: Endpoint, call: JsonCall): Promise<unknown> {
  const response = await send(endpoint, call)
  const text = await response.text().catch((error: unknown) => {
    throw toCallFailure(error, Date.now())
  })
  if (!response.ok) {
    throw failureOfStatus(response.status, messageIn(text) ?? response.statusText, {
      headers: response.headers,
      now: Date.now(),
    })
  }
  return parse(text)
}

async function send(endpoint: Endpoint, call: JsonCall): Promise<Response> {
  const url = new URL(endpoint.baseUrl + call.path)
  for (const [name, value] of Object.entries({ ...endpoint.query, ...call.query }))
    url.searchParams.set(name, value)
  const isPost = call.body !== undefined
  try {
    return await boundedFetch(call.mostBytes)(url, {
      method: isPost ? 'POST' : 'GET',
      headers: {
        accept: 'application/json',
        ...(isPost && { 'content-type': 'application/json' }),
        ...endpoint.headers,
      },
      ...(isPost && { body: JSON.stringify(call.body) }),
      ...(call.signal !== undefined && { signal: call.signal }),
    })
  } catch (error) {
    throw toCallFailure(error, Date.now())
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const what = text.trim() === '' ? 'an empty answer' : 'an answer that is not JSON'
    throw new CallFailure('garbled', what, { cause })
  }
}

/** Servers tell what is wrong as `{ error: { message } }`, `{ error }`, `{ message }` or `{ detail }`. */
function messageIn(text: string): string | undefined {
  try {
    const { error, message, detail } = JSON.parse(text) ?? {}
    return [error?.message, error, message, detail].find((part) => typeof part === 'string' && part !== '')
  } catch {
    return undefined
  }
}
