import type { JsonValue } from '../../domain/json.ts'

/** A request as the server got it. */
export interface ScriptedRequest {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  /** The body as JSON, or as text where it is none; undefined when there was none. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever the client sent
  readonly body: any
  /** Milliseconds since 1970. */
  readonly at: number
}

/** How the server answers one request. Without a `text`, `json` or `body`, it answers as well as it can. */
export interface ScriptedReply {
  /** What the chat model says; pieces are streamed as they are, to those who stream. */
  readonly text?: string | readonly string[]
  /** Tools that the chat model calls. */
  readonly toolCalls?: readonly {
    readonly id?: string
    readonly name: string
    readonly arguments: string
  }[]
  /** Why the chat model stops. @default "stop", or "tool_calls" */
  readonly finishReason?: string
  /** The body, as JSON. */
  readonly json?: JsonValue
  /** The body, as it is: empty, half, or no JSON at all. */
  readonly body?: string
  /** @default 200 */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** How long to wait before the first byte. */
  readonly delayMs?: number
  /** How long to wait between the pieces of a stream. */
  readonly pieceDelayMs?: number
  /** Cuts the connection after so many characters of the body; of a stream, after so many pieces. */
  readonly cutAfter?: number
}

/** A reply, or what makes one of the request. */
export type ScriptedStep = ScriptedReply | ((request: ScriptedRequest) => ScriptedReply)
