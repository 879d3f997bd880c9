// Maps requests to responses without a network. Each request, from the outside in: gets an id; is counted and
// logged; is refused if it was sent by a page of another site; is matched to a route. All errors have the
// same shape.

import { Hono } from 'hono'
import { compress } from 'hono/compress'
import type { Memory } from '../index.ts'
import { AccessLog, addressOf, type RequestContext, type ServerEnv } from './access-log.ts'
import { describeApi } from './description/openapi.ts'
import { pagesOf, VERSION } from './description/pages.ts'
import { answerPreflight, checkHost, checkOrigin, corsHeaders, RateLimit } from './entrance/admit.ts'
import { BodyMemoryLimiter } from './entrance/body-memory-limiter.ts'
import { handleRoute } from './handle-route.ts'
import { HttpError, toErrorResponse } from './http-error.ts'
import { ServerMetrics } from './metrics/server-metrics.ts'
import { TokenCorrections } from './proxy/token-corrections.ts'
import { Retention } from './retention.ts'
import { ROUTES } from './routes/routes.ts'
import type { ResolvedServerOptions } from './server-options.ts'
import type { ServerParts } from './server-parts.ts'
import { OpenTurns, RebuildWork, ReplicaNotice } from './server-parts.ts'
import { addWebApp } from './web-app.ts'

export interface App {
  readonly hono: Hono<ServerEnv>
  readonly parts: ServerParts
  readonly log: AccessLog
}

/** Mounted in another server, it leaves compression to that: Next.js would compress the responses twice. */
export function createApp(
  memory: Memory,
  options: ResolvedServerOptions,
  { isMounted = false }: { readonly isMounted?: boolean } = {},
): App {
  const log = new AccessLog(options)
  const now = () => new Date()
  const parts: ServerParts = {
    memory,
    log,
    options,
    rateLimit: new RateLimit(options),
    bodyLimiter: new BodyMemoryLimiter(options),
    metrics: new ServerMetrics(memory),
    retention: new Retention({ memory, log, now }, options.retention),
    replicaNotice: new ReplicaNotice(memory, log),
    rebuild: new RebuildWork(),
    turns: new OpenTurns(),
    corrections: new TokenCorrections(),
    now,
    closing: new AbortController(),
    isClosing: false,
  }
  const hono = new Hono<ServerEnv>()
  hono.use(observe(parts, log))
  hono.use(protect(options))
  if (!isMounted) hono.use(compressOwn())
  addRoutes(hono, parts)
  addWebApp(hono)
  addPages(hono)
  hono.notFound((context) =>
    fail(
      context,
      log,
      new HttpError('not-found', `no route for ${context.req.path}`, {
        hint: 'GET /docs lists all routes',
      }),
    ),
  )
  hono.onError((error, context) => fail(context, log, error))
  return { hono, parts, log }
}

function addRoutes(hono: Hono<ServerEnv>, parts: ServerParts): void {
  const toPattern = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1')
  for (const route of ROUTES)
    hono.on(route.method.toUpperCase(), toPattern(route.path), handleRoute(route, parts))
  for (const path of new Set(ROUTES.map((route) => route.path))) {
    const methods = ROUTES.filter((route) => route.path === path).map((route) => route.method.toUpperCase())
    refuseOtherMethods(hono, toPattern(path), methods)
  }
}

/** Pages for people, and the API description for programs. */
function addPages(hono: Hono<ServerEnv>): void {
  for (const [path, page] of Object.entries(pagesOf(describeApi(ROUTES, VERSION)))) {
    hono.get(path, (context) => {
      context.get('facts').route = path
      return new Response(page.text, { headers: { ...page.headers } })
    })
    refuseOtherMethods(hono, path, ['GET'])
  }
}

function refuseOtherMethods(hono: Hono<ServerEnv>, pattern: string, methods: readonly string[]): void {
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ')
  hono.all(pattern, (context) => {
    throw new HttpError(
      'method-not-allowed',
      `${context.req.method} is not allowed for ${context.req.path}`,
      {
        hint: `allowed: ${allow}`,
        headers: { allow },
      },
    )
  })
}

const GIVEN_ID = /^[\w.:-]{1,100}$/

/** Assigns a request id, writes the access log and updates the metrics. */
function observe({ metrics, options, replicaNotice }: ServerParts, log: AccessLog) {
  return async (context: RequestContext, next: () => Promise<void>): Promise<void> => {
    const given = context.req.header('x-request-id')
    const id = given !== undefined && GIVEN_ID.test(given) ? given : crypto.randomUUID()
    const facts = { id, startedMs: performance.now() }
    context.set('facts', facts)
    metrics.began()
    await next()
    const { method, path } = context.req
    const { status } = context.res
    const ms = performance.now() - facts.startedMs
    const { headers } = context.res
    headers.set('x-request-id', id)
    const forPages = corsHeaders(context.req.header('origin') ?? null, options.corsOrigins)
    for (const [name, value] of Object.entries(forPages))
      if (name === 'vary') headers.append(name, value)
      else headers.set(name, value)
    metrics.answered({ method, route: context.get('facts').route ?? 'none', status, seconds: ms / 1000 })
    log.answered({ facts, method, path, status, ms, address: addressOf(context) })
    replicaNotice.look()
  }
}

/** Compresses our own responses; those of the proxy's upstream server are passed through unchanged. */
function compressOwn() {
  const shrink = compress({ encoding: 'gzip' })
  return (context: RequestContext, next: () => Promise<void>) =>
    context.req.path.startsWith('/v1/') ? next() : shrink(context, next)
}

const API = /^\/(?:api|v1|metrics)(?:\/|$)/

function protect(options: ResolvedServerOptions) {
  return async (context: RequestContext, next: () => Promise<void>): Promise<Response | undefined> => {
    const request = context.req.raw
    const url = new URL(request.url)
    checkHost(url, options)
    const preflight = answerPreflight(request, options.corsOrigins)
    if (preflight !== undefined) return preflight
    if (API.test(url.pathname)) checkOrigin(request, url, options)
    await next()
    // Not with `context.header`, which creates a new response per header: that took a tenth of a request's
    // time.
    const { headers } = context.res
    headers.set('x-content-type-options', 'nosniff')
    headers.set('referrer-policy', 'no-referrer')
    headers.set(
      'cross-origin-resource-policy',
      options.corsOrigins.length === 0 ? 'same-origin' : 'cross-origin',
    )
    if (!headers.has('content-security-policy'))
      headers.set('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
    return undefined
  }
}

function fail(context: RequestContext, log: AccessLog, error: unknown): Response {
  const { id } = context.get('facts')
  const response = toErrorResponse(error, id)
  // A temporary failure is not a bug, but the operator should see it: log one line.
  if (response.status === 503) log.warn(error instanceof Error ? error.message : String(error))
  else if (response.status >= 500) log.bug(error, id)
  return response
}
