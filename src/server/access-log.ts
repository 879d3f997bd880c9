import { type Logger, pino } from 'pino'
import type { RequestFacts } from './request-context.ts'
import type { ResolvedServerOptions } from './server-options.ts'

export interface Access {
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
