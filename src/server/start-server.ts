// `recollect/server`: serves the memory over HTTP.
//
//   const server = await startServer(memory, { port: 4747 })
//   console.log(server.url)
//   await server.close()           // the memory stays open: it is yours
//
// 1. An address that other machines can reach is refused unless an API key exists, and then every request
//    needs a key.
// 2. `close` makes /api/ready return 503 for `drainMs`, then stops accepting requests, waits up to
//    `shutdownMs` for running ones, and then closes the connections. Everything that was acknowledged is in
//    the record.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { type Memory, MemoryError } from '../index.ts'
import { type App, createApp } from './app.ts'
import { toRawError } from './http-error.ts'
import { type ResolvedServerOptions, resolveServerOptions, type ServerOptions } from './server-options.ts'

/** For frameworks that bundle server code: this subpath alone has to be left out of the bundle. */
export { openMemory } from '../index.ts'
export type { RetentionOptions } from './retention.ts'
export type { AuthorizedCaller, LogLevel, ServerOptions } from './server-options.ts'

export interface RunningServer {
  readonly url: string
  readonly host: string
  readonly port: number
  /** Resolves when the last request has been answered or aborted. */
  close(): Promise<void>
}

export async function startServer(memory: Memory, options: ServerOptions = {}): Promise<RunningServer> {
  const resolved = resolveServerOptions(options)
  await needKeys(memory, resolved)
  needFileToBackUp(memory, resolved)
  const app = createApp(memory, resolved)
  const server = createAdaptorServer({
    fetch: app.hono.fetch,
    overrideGlobalObjects: resolved.hasOwnProcess,
    serverOptions: {
      maxHeaderSize: resolved.headerBytes,
      requestTimeout: resolved.requestTimeoutMs,
      headersTimeout: Math.min(60_000, resolved.requestTimeoutMs),
      // Longer than clients and proxies keep a connection open: if the server closed it first, it could close
      // just as the next request is sent.
      keepAliveTimeout: 65_000,
    },
  }) as Server
  server.on('clientError', answerUnreadable)
  const connections = new OpenConnections(server)
  await listen(server, resolved)
  const { port } = server.address() as AddressInfo
  const url = `http://${resolved.host.includes(':') ? `[${resolved.host}]` : resolved.host}:${port}`
  app.log.note(`listening on ${url}`)
  app.parts.retention.start()
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= closeServer({ server, connections }, app, resolved)
    return closing
  }
  return { url, host: resolved.host, port, close }
}

/** A handler for `fetch`-style requests, to mount in another server or framework. */
export function createHandler(
  memory: Memory,
  options: ServerOptions = {},
): (request: Request) => Promise<Response> {
  const resolved = resolveServerOptions(options)
  const { hono } = createApp(memory, resolved, { isMounted: true })
  return async (request) => hono.fetch(withoutBase(request, resolved.basePath))
}

function withoutBase(request: Request, basePath: string): Request {
  if (basePath === '') return request
  const url = new URL(request.url)
  // A path outside of the base matches no route.
  url.pathname = url.pathname.startsWith(`${basePath}/`) ? url.pathname.slice(basePath.length) : '/404'
  return new Request(url, request)
}

async function needKeys(memory: Memory, options: ResolvedServerOptions): Promise<void> {
  const { host, requireKey, authorize, workspaceHeader } = options
  if (!requireKey || authorize !== undefined || workspaceHeader !== '') return
  if ((await memory.keys.list({ allWorkspaces: true }).toArray()).length > 0) return
  throw new MemoryError('invalid-input', `listening on ${host} requires an API key, and none exists`, {
    hint: 'create one with recollect keys create; without keys the server only listens on 127.0.0.1',
  })
}

function needFileToBackUp({ location }: Memory, { retention }: ResolvedServerOptions): void {
  if (retention.backupFolder === '' || !location.startsWith('postgres')) return
  throw new MemoryError('invalid-input', 'backups to a folder are only made of an SQLite file', {
    hint: 'leave out --backup-dir (retention.backupFolder), and back up PostgreSQL on a schedule with pg_dump',
  })
}

function listen(server: Server, { host, port }: ResolvedServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (cause: NodeJS.ErrnoException) =>
      reject(
        new MemoryError('invalid-input', `cannot listen on ${host}:${port}: ${cause.message}`, {
          hint:
            cause.code === 'EADDRINUSE'
              ? 'the port is in use; choose another with --port'
              : 'check --host and --port',
          cause,
        }),
      )
    server.once('error', refuse)
    server.listen(port, host, () => {
      server.off('error', refuse)
      resolve()
    })
  })
}

/** Responds to invalid HTTP and to oversized headers. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const isLarge = error.code === 'HPE_HEADER_OVERFLOW'
  const code = isLarge ? 'headers-too-large' : 'malformed-request'
  const message = isLarge ? 'the request headers are too large' : 'this is not an HTTP request'
  socket.end(toRawError(code, message, crypto.randomUUID()))
}

interface Listening {
  readonly server: Server
  readonly connections: OpenConnections
}

async function closeServer(
  { server, connections }: Listening,
  { parts, log }: App,
  { drainMs, shutdownMs }: ResolvedServerOptions,
): Promise<void> {
  parts.isClosing = true
  parts.closing.abort(new DOMException('the server is shutting down', 'AbortError'))
  log.note('closing')
  if (drainMs > 0) await new Promise((wake) => setTimeout(wake, drainMs))
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  connections.close()
  // Stop answers that take longer while there is still time to record the partial text.
  const stopping = setTimeout(() => parts.turns.stop(), shutdownMs / 2)
  const timer = setTimeout(() => {
    log.warn('aborted the requests that were still running')
    server.closeAllConnections()
  }, shutdownMs)
  await closed
  clearTimeout(timer)
  clearTimeout(stopping)
  parts.turns.stop()
  await Promise.all([parts.turns.settle(), parts.retention.stop()])
}

/**
 * Tracks which connections are waiting for a response and which are idle. Node counts new connections without
 * a request as active and would wait for them.
 */
export class OpenConnections {
  readonly #requests = new Map<Socket, number>()
  #isClosing = false

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#requests.set(socket, 0)
      socket.once('close', () => this.#requests.delete(socket))
    })
    server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.#count(socket, 1)
      response.once('close', () => this.#count(socket, -1))
    })
  }

  /** Closes idle connections now and the others after their response. */
  close(): void {
    this.#isClosing = true
    for (const [socket, requests] of this.#requests) if (requests === 0) socket.destroy()
  }

  #count(socket: Socket, change: number): void {
    const requests = (this.#requests.get(socket) ?? 0) + change
    if (this.#requests.has(socket)) this.#requests.set(socket, requests)
    if (this.#isClosing && requests === 0) socket.destroySoon()
  }
}
