// A turn in the AI SDK's UI message stream protocol, version 1, readable by `useChat` and any other client of
// that protocol. Our additions are in data parts and in the message metadata, which such clients pass on.

import { definedFields } from '../domain/defined-fields.ts'
import type { ChatEvent, ContextRemembered, Note, Recalled } from '../index.ts'
import { toPublicError } from './http-error.ts'
import type { ServerParts } from './server-parts.ts'

/** One part of the stream. */
export type Chunk = { readonly type: string } & Readonly<Record<string, unknown>>

type EventOf<Type extends ChatEvent['type']> = Extract<ChatEvent, { type: Type }>

/** Length of a recalled excerpt in the stream. The full text is in the memory; a page only shows a line. */
const SHOWN_CHARACTERS = 300

export class UiStream {
  #textId: string | undefined
  #answerId = ''
  #inputTokens = 0

  /** The stream parts for one event. */
  tell(event: ChatEvent): readonly Chunk[] {
    switch (event.type) {
      case 'recorded':
        return this.#begin(event)
      case 'searched':
        return event.notes.flatMap(({ id, source: { url, title } }) =>
          url === undefined ? [] : [{ type: 'source-url', sourceId: id, url, ...definedFields({ title }) }],
        )
      case 'remembered':
        this.#inputTokens = event.receipt.tokens
        return [{ type: 'data-memory', data: toMemory(event) }]
      case 'notice': {
        const { type: _, ...notice } = event
        return [{ type: 'data-notice', data: notice }]
      }
      case 'text':
        return [...this.#openText(), { type: 'text-delta', id: this.#answerId, delta: event.text }]
      case 'answered':
        return this.#end(event)
    }
  }

  /** The stream parts for an error outside of a turn. */
  fail(error: unknown): readonly Chunk[] {
    const told = toPublicError(error)
    return [...this.#closeText(), { type: 'data-failure', data: told }, toError(told)]
  }

  #begin({ message, answerId }: EventOf<'recorded'>): readonly Chunk[] {
    this.#answerId = answerId
    const { id, position, conversationId } = message
    return [
      { type: 'start', messageId: answerId, messageMetadata: { conversationId, questionId: id } },
      { type: 'start-step' },
      { type: 'data-question', data: { id, position, conversationId }, transient: true },
    ]
  }

  /** Our own token count: not every server reports usage for a stream. */
  #usage(outputTokens: number) {
    const inputTokens = this.#inputTokens
    return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens }
  }

  #openText(): readonly Chunk[] {
    if (this.#textId !== undefined) return []
    this.#textId = this.#answerId
    return [{ type: 'text-start', id: this.#answerId }]
  }

  #closeText(): readonly Chunk[] {
    if (this.#textId === undefined) return []
    this.#textId = undefined
    return [{ type: 'text-end', id: this.#answerId }]
  }

  #end({ message, model, ending, error }: EventOf<'answered'>): readonly Chunk[] {
    const metadata = message && {
      ...message.metadata,
      position: message.position,
      createdAt: message.createdAt.toISOString(),
      tokens: message.tokens,
      ...(model !== undefined && { usage: this.#usage(message.tokens) }),
    }
    const last = {
      complete: { type: 'finish', finishReason: 'stop', ...definedFields({ messageMetadata: metadata }) },
      stopped: { type: 'abort', reason: 'stopped' },
      failed: toError(error ?? { message: 'the model failed' }),
    }[ending]
    const isWhole = ending === 'complete'
    return [
      ...this.#closeText(),
      ...(isWhole || metadata === undefined ? [] : [{ type: 'message-metadata', messageMetadata: metadata }]),
      ...(error === undefined ? [] : [{ type: 'data-failure', data: error }]),
      { type: 'finish-step' },
      last,
    ]
  }
}

const toError = ({ message, hint }: { readonly message: string; readonly hint?: string }): Chunk => ({
  type: 'error',
  errorText: hint === undefined ? message : `${message} (${hint})`,
})

function toMemory({ receipt, isReceiptKept, question, recalled }: ContextRemembered) {
  const sent = new Set(
    receipt.parts.flatMap(({ items = [] }) => items.map(({ kind, id }) => `${kind} ${id}`)),
  )
  return {
    receiptId: isReceiptKept ? receipt.id : null,
    tokens: receipt.tokens,
    budgetTokens: receipt.budgetTokens,
    sections: receipt.parts.map(({ section, tokens }) => ({ section, tokens })),
    ...definedFields({ question: question?.standalone }),
    recalled: recalled.filter(({ kind, id }) => sent.has(`${kind} ${id}`)).map(toShown),
  }
}

function toShown({ kind, id, text, score, source, conversationId, createdAt, messageIds }: Recalled) {
  const shown = [...text.slice(0, 2 * SHOWN_CHARACTERS)].slice(0, SHOWN_CHARACTERS).join('')
  return { kind, id, text: shown, score, messageIds, createdAt, ...definedFields({ source, conversationId }) }
}

// Debug information about a turn, written as comments of the event stream: clients ignore them, and they are
// visible when inspecting the traffic.

export function debugLines(event: ChatEvent): readonly string[] {
  if (event.type === 'remembered') {
    return [toLine('MEMORY_DEBUG', memoryOf(event)), toLine('RAG_DEBUG', documentsOf(event))]
  }
  if (event.type === 'searched')
    return [toLine('SEARCH_DEBUG', { question: event.question, notes: event.notes.map(noteOf) })]
  if (event.type === 'notice' && event.code === 'search-failed')
    return [toLine('SEARCH_DEBUG', { failed: event.text })]
  return []
}

const toLine = (name: string, value: unknown): string => `: ${name} ${JSON.stringify(value)}\n\n`

function memoryOf({ receipt, question, recalled }: ContextRemembered) {
  const { id, tokens, budgetTokens, parts, omitted, repairs, sharedPrefix } = receipt
  return {
    receiptId: id,
    tokens,
    budgetTokens,
    parts: parts.map(({ section, tokens: own, runs, items }) => ({
      section,
      tokens: own,
      ...(runs.length > 0 && { runs }),
      ...(items !== undefined && {
        items: items.map(({ kind, id: item, score, tokens: cost }) => ({
          kind,
          id: item,
          tokens: cost,
          ...definedFields({ score }),
        })),
      }),
    })),
    omitted: omitted.length,
    repairs: repairs.length,
    sharedPrefix,
    recalled: recalled.length,
    ...definedFields({ question }),
  }
}

function documentsOf({ receipt, recalled }: ContextRemembered) {
  const items = receipt.parts.find(({ section }) => section === 'chunks')?.items ?? []
  const sent = new Set(items.map(({ id }) => id))
  return {
    chunks: recalled
      .filter(({ kind }) => kind === 'chunk')
      .map(({ id, source, score, tokens }) => ({
        id,
        score,
        tokens,
        isSent: sent.has(id),
        ...definedFields({ source }),
      })),
  }
}

const noteOf = ({ id, source: { url, title } }: Note) => ({ id, ...definedFields({ url, title }) })

// Server-sent events: written as they are produced, kept alive while idle, and ended when the client
// disconnects or the server closes. Cleanup runs whether or not a client is still connected.

/** Produces the text to write; ends when the signal is aborted. */
type EventSource = (signal: AbortSignal) => AsyncIterable<string>

const HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  // A stream that is compressed on the way arrives in lumps.
  'cache-control': 'no-store, no-transform',
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
