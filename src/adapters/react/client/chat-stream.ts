// The response of POST /api/conversations/:id/chat: the UI message stream of the AI SDK. Only the parts that
// a chat needs are parsed; unknown parts are passed on, so that a newer server does not break an older page.

import type { ChatRequest } from '../../../schemas/chat.ts'
import type { Wire } from '../../../schemas/wire.ts'
import { RequestError, toNetworkError } from './send-request.ts'

/** A user message, or a request to regenerate an answer. */
export type ChatCall = Wire<ChatRequest>

/** One part of an answer that is being streamed. */
export type ChatPart =
  /** The answer starts, with this id. */
  | { readonly type: 'start'; readonly messageId?: string }
  | { readonly type: 'text-delta'; readonly id: string; readonly delta: string }
  | { readonly type: 'error'; readonly errorText: string }
  | { readonly type: 'abort' }
  | { readonly type: 'finish'; readonly messageMetadata?: unknown }
  /** Additional data of the server: the receipt, notices, the message as it was recorded. */
  | { readonly type: `data-${string}`; readonly data: unknown }
  /** A comment of the stream, if `debug` is set. */
  | { readonly type: 'comment'; readonly text: string }

/** Yields the parts of an answer as they arrive; throws if the connection breaks before the end. */
export async function* readChat(response: Response, signal?: AbortSignal): AsyncGenerator<ChatPart> {
  if (response.body === null) throw new RequestError('malformed-answer', 'the answer has no body')
  let isEnded = false
  try {
    for await (const line of readEvents(response.body)) {
      if ('comment' in line) yield { type: 'comment', text: line.comment }
      else if (line.data === '[DONE]') isEnded = true
      else yield parsePart(line.data)
    }
  } catch (cause) {
    if (cause instanceof RequestError) throw cause
    throw toNetworkError(cause, signal)
  }
  if (!isEnded) throw new RequestError('unreachable', 'the answer broke off', { hint: 'ask again' })
}

function parsePart(text: string): ChatPart {
  try {
    return JSON.parse(text) as ChatPart
  } catch (cause) {
    throw new RequestError('malformed-answer', 'a piece of the answer is not JSON', { cause })
  }
}

// Server-sent events of the chat: `data: …` lines, an empty line ends an event, and lines that begin with a
// colon are comments. A chunk may end anywhere, even within a character or a line ending.

/** The data of each event, and the comments, in order. */
export type StreamEvent = { readonly data: string } | { readonly comment: string }

export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  let data: string[] = []
  for await (const line of readLines(body)) {
    if (line.startsWith(':')) yield { comment: line.slice(1).trimStart() }
    else if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''))
    else if (line === '' && data.length > 0) {
      yield { data: data.join('\n') }
      data = []
    }
  }
}

async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = ''
  for await (const text of readTexts(body)) {
    // A trailing carriage return may be the first half of a line ending.
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield* [rest.replace(/\r$/, ''), '']
}

/** Not `for await` over the stream: Safari's streams are not async iterable. */
async function* readTexts(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  try {
    while (true) {
      const { done, value } = await reader.read()
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    // The caller stopped reading and needs no more; a broken stream was already reported by `read`.
    await reader.cancel().catch(() => undefined)
  }
}
