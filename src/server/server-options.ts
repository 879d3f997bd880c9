// Every setting of the server, its default and the reason for it. Filled in and checked once.

import { definedFields } from '../domain/defined-fields.ts'
import { MemoryError } from '../index.ts'

export type LogLevel = 'silent' | 'error' | 'warn' | 'info'

export interface ServerOptions {
  /** The address to listen on. Any that others can reach needs at least one key. @default "127.0.0.1" */
  readonly host?: string
  /** 0: any that is free. @default 4747 */
  readonly port?: number
  /** Nobody comes in without a key, also not from this machine. @default false; true where others can reach the address */
  readonly requireKey?: boolean
  /** Origins of web pages elsewhere that may use the server, such as https://app.example.com. @default none */
  readonly corsOrigins?: readonly string[]
  /** Names by which the server may be called beside localhost; all, where a key is needed and none is given. @default none */
  readonly allowedHosts?: readonly string[]
  /** The largest body of a request, but for files and imports. @default 16777216 */
  readonly bodyBytes?: number
  /** The largest form with a file in it. What a document may have is the option limits.documentBytes of the memory. @default 53477376 */
  readonly uploadBytes?: number
  /** Bodies and forms of all requests together, while they are held in memory; others wait. @default 268435456 */
  readonly heldBytes?: number
  /** The largest import. @default 4294967296 */
  readonly importBytes?: number
  /** The most that all headers of a request may have. @default 16384 */
  readonly headerBytes?: number
  /** What the holder of a key, or an address elsewhere, may ask for in the long run. 0: any number. @default 2000 */
  readonly requestsPerSecond?: number
  /** How many requests may come at once after a rest. @default 4000 */
  readonly requestBurst?: number
  /** A request that has not come in whole after this is given up. @default 300000 */
  readonly requestTimeoutMs?: number
  /**
   * When the server is closed, /api/ready says 503 for so long while all else is still answered, so that a load balancer
   * sends nothing more. @default 0
   */
  readonly drainMs?: number
  /** Requests under way have so long to end when the server is closed. @default 10000 */
  readonly shutdownMs?: number
  /** The process serves and does nothing else: the global Request and Response may be replaced by lighter ones. @default false */
  readonly hasOwnProcess?: boolean
  /** A stream on which nothing happens gets a comment so often, or what stands between would close it. @default 15000 */
  readonly keepAliveMs?: number
  /** Every chat tells what it remembered in comments of its stream, asked for or not. @default false */
  readonly debug?: boolean
  /** The server behind the proxy at /v1, which speaks OpenAI's language. Empty: no proxy. @default "" */
  readonly upstreamUrl?: string
  /** Its key. Empty: that of the client is handed on. @default "" */
  readonly upstreamKey?: string
  /** A request through the proxy waits so long for its memory, and then goes on without. @default 3000 */
  readonly memoryTimeoutMs?: number
  /** @default "silent" */
  readonly logLevel?: LogLevel
  /** Where lines of the log go. @default standard output */
  readonly logTo?: { write(line: string): void }
}

export type ResolvedServerOptions = Required<Omit<ServerOptions, 'logTo'>> & Pick<ServerOptions, 'logTo'>

const DEFAULTS: ResolvedServerOptions = Object.freeze({
  host: '127.0.0.1', // nobody else's business unless somebody says so
  port: 4747,
  requireKey: false,
  corsOrigins: [],
  allowedHosts: [],
  bodyBytes: 16 * 1024 * 1024, // four of the largest messages; parsing takes a tenth of a second
  uploadBytes: 51 * 1024 * 1024, // the largest document, and what the form adds to it; held in memory while it is read
  heldBytes: 256 * 1024 * 1024, // five of the largest forms; what else there is needs room, too
  importBytes: 4 * 1024 ** 3, // read as it comes: time, not memory
  headerBytes: 16 * 1024, // what Node and most proxies take
  requestsPerSecond: 2000, // more than one machine can record; stops loops that went wild
  requestBurst: 4000,
  requestTimeoutMs: 300_000, // a large import over a slow line
  drainMs: 0, // nobody waits for who stands alone
  shutdownMs: 10_000, // what process managers wait before they kill
  hasOwnProcess: false, // saves a third of what HTTP costs, and would surprise a program around it
  keepAliveMs: 15_000, // proxies and load balancers close after 30 or 60 seconds
  debug: false,
  upstreamUrl: '',
  upstreamKey: '',
  memoryTimeoutMs: 3000, // a hundred times what it takes; a model that helps recall may be slow
  logLevel: 'silent',
})

const ORIGIN = /^https?:\/\/[^/?#@\s*]+$/i
const LEVELS: readonly LogLevel[] = ['silent', 'error', 'warn', 'info']

export function resolveServerOptions(options: ServerOptions = {}): ResolvedServerOptions {
  const resolved = { ...DEFAULTS, ...definedFields(options) } as ResolvedServerOptions
  const origin = resolved.corsOrigins.find((one) => !ORIGIN.test(one))
  if (origin !== undefined) {
    throw refuse(
      `"${origin}" is no origin of a web page`,
      'such as https://app.example.com; list each of them',
    )
  }
  if (!LEVELS.includes(resolved.logLevel))
    throw refuse(`there is no log level "${resolved.logLevel}"`, LEVELS.join(', '))
  if (resolved.upstreamUrl !== '' && !/^https?:\/\/[^\s]+$/i.test(resolved.upstreamUrl))
    throw refuse('the address of the server behind the proxy is none', 'such as http://localhost:11434/v1')
  const wrong = (Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[]).find(
    (name) => typeof DEFAULTS[name] === 'number' && !isCount(resolved[name]),
  )
  if (wrong !== undefined) throw refuse(`the server's ${wrong} cannot be ${String(resolved[wrong])}`)
  if (resolved.port > 65_535) throw refuse(`there is no port ${resolved.port}`)
  return { ...resolved, requireKey: resolved.requireKey || !isLoopback(resolved.host) }
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0

const refuse = (message: string, hint?: string): MemoryError =>
  new MemoryError('invalid-input', message, definedFields({ hint }))

/** Whether only this machine can reach the address. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '')
  return name === 'localhost' || name === '::1' || /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/.test(name)
}
