// Every setting of the server, with its default and the reason for it. Completed and validated once.

import { definedFields } from '../domain/defined-fields.ts'
import { type KeyScope, MemoryError } from '../index.ts'
import { type RetentionOptions, resolveRetention } from './retention.ts'

export type LogLevel = 'silent' | 'error' | 'warn' | 'info'

/** The workspace that a caller may use, and what they may do there. */
export interface AuthorizedCaller {
  /** Usually the id of your user. */
  readonly workspaceId: string
  /** @default "write" */
  readonly scope?: KeyScope
}

export interface ServerOptions {
  /**
   * The address to listen on. An address that other machines can reach requires at least one API key.
   * @default "127.0.0.1"
   */
  readonly host?: string
  /** 0: any free port. @default 4747 */
  readonly port?: number
  /**
   * Require an API key even from this machine. @default false; true if other machines can reach the address
   */
  readonly requireKey?: boolean
  /**
   * Decides who has access: returns the caller's workspace, or undefined for 401. API keys are then not used. It must
   * not read the body. An error is a 500 whose details are only logged. @default none
   */
  readonly authorize?: (
    request: Request,
  ) => Promise<AuthorizedCaller | undefined | null | false> | AuthorizedCaller | undefined | null | false
  /**
   * A header with the id of the user, which is the workspace; requests without it need a key. Use it only if nothing
   * but a proxy that authenticates users and sets this header can reach the server. @default none
   */
  readonly workspaceHeader?: string
  /** For createHandler: the path below which it is mounted, such as /api/memory. @default none */
  readonly basePath?: string
  /** Origins of web pages that may use the server, such as https://app.example.com. @default none */
  readonly corsOrigins?: readonly string[]
  /**
   * Host names allowed in addition to localhost; any, if a key is required and none are listed. @default none
   */
  readonly allowedHosts?: readonly string[]
  /** Maximum size of a request body, except for files and imports. @default 16777216 */
  readonly bodyBytes?: number
  /**
   * Maximum size of a form with a file. The size of a document is limited by limits.documentBytes of the
   * memory. @default 53477376
   */
  readonly uploadBytes?: number
  /** Maximum total size of the bodies and forms held in memory; further requests wait. @default 268435456 */
  readonly heldBytes?: number
  /** Maximum size of an import. @default 4294967296 */
  readonly importBytes?: number
  /** Maximum total size of a request's headers. @default 16384 */
  readonly headerBytes?: number
  /** Sustained rate limit per API key or remote address. 0: no limit. @default 2000 */
  readonly requestsPerSecond?: number
  /** How many requests are accepted at once after a pause. @default 4000 */
  readonly requestBurst?: number
  /** Timeout for receiving a complete request. @default 300000 */
  readonly requestTimeoutMs?: number
  /**
   * On close, /api/ready returns 503 for this long while requests are still accepted, so that a load balancer
   * stops sending them. @default 0
   */
  readonly drainMs?: number
  /** How long running requests may take to finish on close. @default 10000 */
  readonly shutdownMs?: number
  /**
   * The process only runs this server: the global Request and Response may be replaced by faster ones.
   * @default false
   */
  readonly hasOwnProcess?: boolean
  /** Idle streams get a comment this often, so that proxies don't close them. @default 15000 */
  readonly keepAliveMs?: number
  /** Every chat stream has comments with what was recalled, whether requested or not. @default false */
  readonly debug?: boolean
  /** Base URL of the OpenAI-compatible server behind the proxy at /v1. Empty: no proxy. @default "" */
  readonly upstreamUrl?: string
  /** API key for the upstream server. Empty: the client's key is forwarded. @default "" */
  readonly upstreamKey?: string
  /** How long a proxied request waits for its memory before it is forwarded without. @default 3000 */
  readonly memoryTimeoutMs?: number
  /** What is archived, erased and backed up once a day; nothing by default. Only for startServer. */
  readonly retention?: RetentionOptions
  /** @default "silent"; with `authorize`, "error" */
  readonly logLevel?: LogLevel
  /** Where log lines are written. @default standard output */
  readonly logTo?: { write(line: string): void }
}

type Optional = 'authorize' | 'logTo'
export type ResolvedServerOptions = Required<Omit<ServerOptions, Optional | 'retention'>> &
  Pick<ServerOptions, Optional> & { readonly retention: Required<RetentionOptions> }

const DEFAULTS: ResolvedServerOptions = Object.freeze({
  host: '127.0.0.1', // private unless configured otherwise
  port: 4747,
  requireKey: false,
  workspaceHeader: '',
  basePath: '',
  corsOrigins: [],
  allowedHosts: [],
  bodyBytes: 16 * 1024 * 1024, // four of the largest messages; parsing takes a tenth of a second
  uploadBytes: 51 * 1024 * 1024, // the largest document plus the form around it; held in memory while it is read
  heldBytes: 256 * 1024 * 1024, // five of the largest forms; leaves room for everything else
  importBytes: 4 * 1024 ** 3, // streamed: costs time, not memory
  headerBytes: 16 * 1024, // the limit of Node and most proxies
  requestsPerSecond: 2000, // more than one machine can record; stops runaway loops
  requestBurst: 4000,
  requestTimeoutMs: 300_000, // a large import over a slow connection
  drainMs: 0, // a single server has no load balancer to wait for
  shutdownMs: 10_000, // how long process managers wait before they kill
  hasOwnProcess: false, // saves a third of the HTTP overhead, but would surprise an embedding program
  keepAliveMs: 15_000, // proxies and load balancers close idle connections after 30 or 60 seconds
  debug: false,
  upstreamUrl: '',
  upstreamKey: '',
  memoryTimeoutMs: 3000, // a hundred times what it usually takes; a model used for recall may be slow
  retention: resolveRetention(),
  logLevel: 'silent',
})

const ORIGIN = /^https?:\/\/[^/?#@\s*]+$/i
/** Authorization carries API keys. */
const HEADER = /^(?!authorization$)[\w-]+$/i
const LEVELS: readonly LogLevel[] = ['silent', 'error', 'warn', 'info']

export function resolveServerOptions(options: ServerOptions = {}): ResolvedServerOptions {
  const { authorize } = options
  // The hook is the application's code: its failures must not go unnoticed.
  const logLevel = authorize === undefined ? DEFAULTS.logLevel : 'error'
  const resolved = { ...DEFAULTS, logLevel, ...definedFields(options) } as ResolvedServerOptions
  const origin = resolved.corsOrigins.find((one) => !ORIGIN.test(one))
  if (origin !== undefined) {
    throw refuse(
      `"${origin}" is not an origin`,
      'such as https://app.example.com; wildcards are not supported',
    )
  }
  if (!LEVELS.includes(resolved.logLevel))
    throw refuse(`unknown log level "${resolved.logLevel}"`, LEVELS.join(', '))
  if (resolved.upstreamUrl !== '' && !/^https?:\/\/[^\s]+$/i.test(resolved.upstreamUrl))
    throw refuse('invalid URL of the upstream server', 'such as http://localhost:11434/v1')
  if (resolved.workspaceHeader !== '' && !HEADER.test(resolved.workspaceHeader))
    throw refuse(`"${resolved.workspaceHeader}" is not a header name to trust`, 'such as X-User-Id')
  if (resolved.basePath !== '' && !/^(?:\/[^/?#]+)+$/.test(resolved.basePath))
    throw refuse(`"${resolved.basePath}" is not a path`, 'such as /api/memory, without a slash at the end')
  const wrong = (Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[]).find(
    (name) => typeof DEFAULTS[name] === 'number' && !isCount(resolved[name]),
  )
  if (wrong !== undefined)
    throw refuse(`invalid value for the server option "${wrong}": ${String(resolved[wrong])}`)
  if (resolved.port > 65_535) throw refuse(`invalid port ${resolved.port}`)
  const retention = resolveRetention(options.retention)
  return { ...resolved, retention, requireKey: resolved.requireKey || !isLoopback(resolved.host) }
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0

const refuse = (message: string, hint?: string): MemoryError =>
  new MemoryError('invalid-input', message, definedFields({ hint }))

/** Whether only this machine can reach the address. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '')
  return name === 'localhost' || name === '::1' || /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/.test(name)
}
