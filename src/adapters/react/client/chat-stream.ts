// The response of POST /api/conversations/:id/chat: the UI message stream of the AI SDK. Only the parts that
// a chat needs are parsed; unknown parts are passed on, so that a newer server does not break an older page.

import { readEvents } from './read-events.ts'
import { RequestError } from './request-error.ts'
import { toNetworkError } from './send-request.ts'

/** A user message, or a request to regenerate an answer. */
export interface ChatCall {
  /** Missing if an answer is regenerated. */
  readonly message?: string | { readonly id?: string; readonly content: string; readonly name?: string }
  /** The id of an earlier user message that this one replaces, with everything after it. */
  readonly edits?: string
  /** Regenerates the last answer, or the answer with this id. */
  readonly regenerate?: true | string
  readonly system?: string
  readonly budgetTokens?: number
  readonly memoryTokens?: number
  /** False: no memory is used for this answer. */
  readonly memory?: boolean
  /** False: no web search. */
  readonly webSearch?: boolean
  /** Maximum length of the answer. */
  readonly maxTokens?: number
  readonly temperature?: number
  /** Adds comments about searches and recalled memories to the stream. */
  readonly debug?: boolean
}

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
