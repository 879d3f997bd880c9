import { CallFailure, failureOfStatus, toCallFailure } from './call-failure.ts'
import type { Endpoint } from './endpoint.ts'

interface JsonCall {
  /** Relative to the endpoint's base URL. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** Sent as JSON in a POST; without it, a GET. */
  readonly body?: unknown
  readonly signal: AbortSignal | undefined
  readonly maxBytes: number
}

/** Sends one request and parses the JSON response; anything else is thrown as a `CallFailure`. */
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
    return await boundedFetch(call.maxBytes)(url, {
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
    const what = text.trim() === '' ? 'empty response' : 'an answer that is not JSON'
    throw new CallFailure('garbled', what, { cause })
  }
}

/** Servers report errors as `{ error: { message } }`, `{ error }`, `{ message }` or `{ detail }`. */
function messageIn(text: string): string | undefined {
  try {
    const { error, message, detail } = JSON.parse(text) ?? {}
    return [error?.message, error, message, detail].find((part) => typeof part === 'string' && part !== '')
  } catch {
    return undefined
  }
}

/** A `fetch` that fails if a response exceeds this size, streams included. */
export function boundedFetch(maxBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    if (response.body === null) return response
    return new Response(response.body.pipeThrough(limitBytes(maxBytes)), {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    })
  }
}

function limitBytes(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes > maxBytes)
        controller.error(new CallFailure('garbled', `response larger than ${maxBytes} bytes`))
      else controller.enqueue(chunk)
    },
  })
}
