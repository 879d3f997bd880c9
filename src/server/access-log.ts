import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { type Logger, pino } from 'pino'
import type { ResolvedServerOptions } from './server-options.ts'

interface Access {
  readonly facts: RequestFacts
  readonly method: string
  readonly path: string
  readonly status: number
  readonly ms: number
  readonly address: string | undefined
}

/** Writes one line per request. Never logs message text, API keys or query strings. */
export class AccessLog {
  readonly #logger: Logger

  constructor({ logLevel, logTo }: Pick<ResolvedServerOptions, 'logLevel' | 'logTo'>) {
    const options = { level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime }
    this.#logger = logTo === undefined ? pino(options) : pino(options, logTo)
  }

  answered({ facts, method, path, status, ms, address }: Access): void {
    const { id: requestId, route, workspace, keyId } = facts
    const line = {
      requestId,
      method,
      path,
      route,
      status,
      ms: Math.round(ms * 10) / 10,
      workspace,
      keyId,
      address,
    }
    if (status >= 500) this.#logger.error(line, 'request')
    else this.#logger.info(line, 'request')
  }

  /** Logs an unexpected error. */
  bug(error: unknown, requestId: string): void {
    this.#logger.error({ requestId, err: error }, 'bug')
  }

  note(message: string): void {
    this.#logger.info(message)
  }

  warn(message: string): void {
    this.#logger.warn(message)
  }
}

/** Details of a request collected while it is handled; used for the access log and metrics. */
interface RequestFacts {
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
