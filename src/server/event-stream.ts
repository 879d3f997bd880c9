// Server-sent events: written as they are produced, kept alive while idle, and ended when the client
// disconnects or the server closes. Cleanup runs whether or not a client is still connected.

import type { ServerParts } from './server-parts.ts'

/** Produces the text to write; ends when the signal is aborted. */
export type EventSource = (signal: AbortSignal) => AsyncIterable<string>

const HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Keeps buffering proxies from holding back the response until it is complete.
  'x-accel-buffering': 'no',
}

const KEEP_ALIVE = ': keep-alive\n\n'
const encoder = new TextEncoder()

export function streamEvents(
  server: ServerParts,
  source: EventSource,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const leaving = new AbortController()
  const signal = AbortSignal.any([leaving.signal, server.turns.closing])
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      server.turns.add(write(source(signal), { controller, signal: leaving.signal, server }))
    },
    cancel() {
      leaving.abort(new DOMException('the client disconnected', 'AbortError'))
    },
  })
  return new Response(body, { headers: { ...HEADERS, ...headers } })
}

interface Writing {
  readonly controller: ReadableStreamDefaultController<Uint8Array>
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal
  readonly server: ServerParts
}

async function write(lines: AsyncIterable<string>, { controller, signal, server }: Writing): Promise<void> {
  const send = (line: string) => {
    if (!signal.aborted) controller.enqueue(encoder.encode(line))
  }
  const timer = setInterval(send, server.options.keepAliveMs, KEEP_ALIVE)
  try {
    for await (const line of lines) send(line)
  } finally {
    clearInterval(timer)
    if (!signal.aborted) controller.close()
  }
}
