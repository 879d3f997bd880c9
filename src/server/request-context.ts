import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'

/** Details of a request collected while it is handled; used for the access log and metrics. */
export interface RequestFacts {
  readonly id: string
  readonly startedMs: number
  /** The path of the route, with its parameters in braces; missing if no route matched. */
  route?: string
  workspace?: string
  keyId?: string
}

export interface ServerEnv {
  // Requests made in this process have no connection.
  Bindings: Partial<HttpBindings>
  Variables: { facts: RequestFacts }
}

export type RequestContext = Context<ServerEnv>

export const addressOf = (context: RequestContext): string | undefined =>
  context.env?.incoming?.socket.remoteAddress
