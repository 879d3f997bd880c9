import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'

/** What is known of a request while it is answered; the log and the figures are made from it. */
export interface RequestFacts {
  readonly id: string
  readonly startedMs: number
  /** The path of the route, with its parameters in braces; missing where no route has the path. */
  route?: string
  workspace?: string
  keyId?: string
}

export interface ServerEnv {
  // Requests that are made in this process have no connection.
  Bindings: Partial<HttpBindings>
  Variables: { facts: RequestFacts }
}

export type RequestContext = Context<ServerEnv>

export const addressOf = (context: RequestContext): string | undefined =>
  context.env?.incoming?.socket.remoteAddress
