// The answer of POST /api/conversations/:id/chat: the UI message stream of the AI SDK. Only what a chat needs is
// read; parts that are not known are handed on as they are, so that a newer server does not break an older page.

import { readEvents } from './read-events.ts'
import { RequestError } from './request-error.ts'
import { toNetworkError } from './send-request.ts'

/** What the user says, or which answer is wanted anew. */
export interface ChatCall {
  /** Missing where another answer is asked for. */
  readonly message?: string | { readonly id?: string; readonly content: string; readonly name?: string }
  /** An earlier message of the user's whose place this one takes, with all that followed. */
  readonly edits?: string
  /** Another answer to the last question, or in the place of the answer of this id. */
  readonly regenerate?: true | string
  readonly system?: string
  readonly budgetTokens?: number
  readonly memoryTokens?: number
  /** False: nothing is remembered for this answer. */
  readonly memory?: boolean
  /** False: the web is not asked. */
  readonly webSearch?: boolean
  /** The longest answer. */
  readonly maxTokens?: number
  readonly temperature?: number
  /** Comments on what was searched and remembered come along. */
  readonly debug?: boolean
}

/** One thing that happens while an answer comes. */
export type ChatPart =
  /** The answer begins, under this id. */
  | { readonly type: 'start'; readonly messageId?: string }
  | { readonly type: 'text-delta'; readonly id: string; readonly delta: string }
  | { readonly type: 'error'; readonly errorText: string }
  | { readonly type: 'abort' }
  | { readonly type: 'finish'; readonly messageMetadata?: unknown }
  /** What the server tells besides: the receipt, notices, the message as it was recorded. */
  | { readonly type: `data-${string}`; readonly data: unknown }
  /** A comment of the stream, where `debug` was asked for. */
  | { readonly type: 'comment'; readonly text: string }

/** The parts of an answer as they come; throws where the line breaks before its end. */
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
