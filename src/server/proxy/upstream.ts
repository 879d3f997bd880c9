// The upstream server of the proxy: requests are sent with the client's headers, responses are returned
// unchanged.

import { MemoryError } from '../../index.ts'
import type { ResolvedServerOptions } from '../server-options.ts'

/** Hop-by-hop headers, and our own. */
const NOT_SENT =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-length|accept-encoding|cookie|x-recollect-.*)$/i
const NOT_RETURNED =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-length|content-encoding|set-cookie)$/i

interface UpstreamCall {
  /** Relative to the base URL: `/chat/completions`. */
  readonly path: string
  readonly request: Request
  readonly body?: string | Uint8Array
  readonly signal: AbortSignal
}

export async function callUpstream(
  { upstreamUrl, upstreamKey }: ResolvedServerOptions,
  { path, request, body, signal }: UpstreamCall,
): Promise<Response> {
  if (upstreamUrl === '') {
    throw new MemoryError('not-found', 'no upstream server is configured', {
      hint: 'recollect serve --upstream http://localhost:11434/v1',
    })
  }
  const { search } = new URL(request.url)
  try {
    return await fetch(upstreamUrl.replace(/\/+$/, '') + path + search, {
      method: request.method,
      headers: headersFor(request, upstreamKey),
      redirect: 'manual',
      signal,
      ...(body !== undefined && { body: body as NonNullable<RequestInit['body']> }),
    })
  } catch (cause) {
    if (signal.aborted) throw cause
    throw new MemoryError('model-failed', 'the upstream server cannot be reached', {
      hint: 'check that it is running, and its URL in --upstream',
      cause,
    })
  }
}

function headersFor(request: Request, upstreamKey: string): Headers {
  const headers = new Headers()
  for (const [name, value] of request.headers) if (!NOT_SENT.test(name)) headers.set(name, value)
  // Bytes are passed through and read, so they must not be compressed.
  headers.set('accept-encoding', 'identity')
  if (isOwnKey(headers.get('authorization'))) headers.delete('authorization')
  if (upstreamKey !== '') headers.set('authorization', `Bearer ${upstreamKey}`)
  return headers
}

/** The headers of the response to the client. */
export function returnedHeaders(answer: Response, own: Readonly<Record<string, string>>): Headers {
  const headers = new Headers(own)
  for (const [name, value] of answer.headers) if (!NOT_RETURNED.test(name)) headers.set(name, value)
  return headers
}

const OWN_KEY = /^Bearer +recollect_\S+ *$/i

/** Whether this is a Recollect key, not one for the upstream server. */
const isOwnKey = (authorization: string | null): boolean =>
  authorization !== null && OWN_KEY.test(authorization)

/**
 * The Recollect key of a proxy request: from our own header, or from where OpenAI clients send theirs. Any
 * other key there is for the upstream server.
 */
export function shownKey({ headers }: Request): string | null {
  const own = headers.get('x-recollect-key')
  if (own !== null) return `Bearer ${own}`
  const given = headers.get('authorization')
  return isOwnKey(given) ? given : null
}
