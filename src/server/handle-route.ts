// Handles one request: authenticate, validate, call the memory, respond.

import { createHash } from 'node:crypto'
import type { Handler } from 'hono'
import type { z } from 'zod'
import { definedFields } from '../domain/defined-fields.ts'
import { KeyedMutex } from '../domain/keyed-mutex.ts'
import { check } from '../schemas/check.ts'
import { isPlainObject } from '../schemas/values.ts'
import { addressOf, type RequestContext, type ServerEnv } from './access-log.ts'
import { admit, inWorkspace } from './entrance/admit.ts'
import { announcedBytes } from './entrance/body-memory-limiter.ts'
import { checkMediaType, limitBytes, mediaTypeOf, readJson } from './entrance/read-body.ts'
import { HttpError } from './http-error.ts'
import { shownKey } from './proxy/upstream.ts'
import type { Route } from './route.ts'
import type { ServerParts } from './server-parts.ts'

export function handleRoute(route: Route, server: ServerParts): Handler<ServerEnv> {
  // Requests with the same Idempotency-Key run one after the other, so that the second finds the first one's result.
  const mutex = new KeyedMutex()
  return async (context) => {
    const request = context.req.raw
    const facts = context.get('facts')
    facts.route = route.path
    const address = addressOf(context)
    const shown = route.passthrough ? shownKey(request) : undefined
    const visit = { request, address, scope: route.scope, ...definedFields({ shown }) }
    const admitted = await admit(server, visit)
    Object.assign(facts, {
      workspace: admitted.memory.workspaceId,
      ...definedFields({ keyId: admitted.keyId }),
    })
    const idempotencyKey = readIdempotencyKey(route, request)
    const outgoing = context.env?.outgoing
    const leave = await server.bodyLimiter.acquire(heldBytes(route, request, server))
    try {
      const { body, unknown, workspaceId } = await readBody(route, request, server)
      const caller = inWorkspace(server, admitted, workspaceId)
      facts.workspace = caller.memory.workspaceId
      const call = {
        memory: caller.memory,
        scope: caller.scope,
        params: context.req.param(),
        query: readQuery(route, context),
        body,
        ...(idempotencyKey !== undefined && { idempotencyKey }),
        request,
        requestId: facts.id,
        server,
        ...(outgoing && { destroyConnection: () => void outgoing.destroy() }),
      }
      const handle = () => route.handle(call)
      const answer = await (idempotencyKey
        ? mutex.run(JSON.stringify([caller.memory.workspaceId, idempotencyKey]), handle)
        : handle())
      const response = answer instanceof Response ? answer : answerJson(route, answer, request)
      return withWarning(response, unknown)
    } finally {
      leave()
    }
  }
}

/** Streamed bodies are not buffered, so they don't count. */
function heldBytes(route: Route, request: Request, { options }: ServerParts): number {
  if (route.body === undefined || route.body.mediaTypes !== undefined) return 0
  const isUpload = route.body.form !== undefined && isForm(request)
  return announcedBytes(request, isUpload ? options.uploadBytes : options.bodyBytes)
}

function readQuery(route: Route, context: RequestContext): unknown {
  if (route.passthrough) return {}
  const given = Object.entries(context.req.queries())
  const repeated = given.find(([, values]) => values.length > 1)
  if (repeated !== undefined)
    throw new HttpError('invalid-input', `duplicate query parameter "${repeated[0]}"`)
  const fields = Object.fromEntries(given.map(([name, [value]]) => [name, value]))
  if (route.query !== undefined) return check(route.query, fields, { what: 'the query' })
  const [unknown] = Object.keys(fields)
  if (unknown !== undefined) throw new HttpError('invalid-input', `unknown query parameter "${unknown}"`)
  return {}
}

interface Body {
  /** Validated, and passed on as it was sent. */
  readonly body: unknown
  /** Names of the fields that were ignored. */
  readonly unknown: readonly string[]
  /** The workspace that the body names. */
  readonly workspaceId?: string
}

async function readBody(
  { body: parts, passthrough, supports }: Route,
  request: Request,
  { options }: ServerParts,
): Promise<Body> {
  if (parts === undefined || passthrough) return { body: undefined, unknown: [] }
  const { json, form, mediaTypes } = parts
  if (mediaTypes !== undefined) checkMediaType(request, mediaTypes)
  if (form !== undefined && isForm(request))
    return { body: checked(form, await readForm(request, options.uploadBytes)), unknown: [] }
  if (json === undefined) return { body: undefined, unknown: [] }
  const { sent, ...named } = splitWorkspace(await readJson(request, options.bodyBytes))
  if (!supports?.includes('unknown-fields')) return { body: checked(json, sent), unknown: [], ...named }
  const { known, unknown } = splitFields(json, sent)
  return { body: checked(json, known), unknown, ...named }
}

/** Every body may name the workspace, like the header X-Recollect-Workspace. */
function splitWorkspace(body: unknown): { readonly sent: unknown; readonly workspaceId?: string } {
  if (!isPlainObject(body) || typeof body['workspaceId'] !== 'string') return { sent: body }
  const { workspaceId, ...sent } = body
  return { sent, workspaceId: workspaceId as string }
}

function checked(schema: z.ZodType, body: unknown): unknown {
  check(schema, body, { what: 'the request' })
  return body
}

/** Header values are ASCII, and short. */
const MAX_NAMED_FIELDS = 20
const MAX_NAME_CHARACTERS = 60

/** Removes the fields that a schema rejects as unknown, at any depth. */
function splitFields(
  schema: z.ZodType,
  sent: unknown,
): { readonly known: unknown; readonly unknown: readonly string[] } {
  const issues = schema.safeParse(sent).error?.issues ?? []
  const paths = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path.map(String), key]) : [],
  )
  const known = paths.reduce<unknown>((value, path) => withoutField(value, path), sent)
  const names = paths.map((path) => encodeURIComponent(path.join('.')).slice(0, MAX_NAME_CHARACTERS))
  return { known, unknown: names.slice(0, MAX_NAMED_FIELDS) }
}

function withoutField(value: unknown, [name = '', ...rest]: readonly string[]): unknown {
  const { [name]: field, ...others } = value as Record<string, unknown>
  return rest.length === 0 ? others : { ...others, [name]: withoutField(field, rest) }
}

function withWarning(response: Response, unknown: readonly string[]): Response {
  if (unknown.length > 0)
    response.headers.set('x-recollect-warning', `ignored unknown fields: ${unknown.join(', ')}`)
  return response
}

function readIdempotencyKey(route: Route, request: Request): string | undefined {
  if (!route.supports?.includes('idempotency-key')) return undefined
  return request.headers.get('idempotency-key') ?? undefined
}

/**
 * Builds the JSON response of a route; 304 if the route has an ETag and the client already has that version.
 */
function answerJson(route: Route, value: unknown, request: Request): Response {
  const { status, schema } = route.answer
  if (schema === undefined) return new Response(null, { status })
  const json = JSON.stringify(value)
  const headers = {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    // Set explicitly, so that the compression middleware skips small responses.
    'content-length': String(Buffer.byteLength(json)),
    vary: 'Accept-Encoding',
  }
  if (!route.supports?.includes('etag')) return new Response(json, { status, headers })
  const etag = `"${createHash('sha256').update(json).digest('base64url').slice(0, 27)}"`
  const tagged = { ...headers, 'cache-control': 'private, no-cache', etag }
  if (isKnown(request.headers.get('if-none-match'), etag))
    return new Response(null, { status: 304, headers: { etag, 'cache-control': 'private, no-cache' } })
  return new Response(json, { status, headers: tagged })
}

/** Ignores the `W/` prefix: compression in between turns an ETag into a weak one. */
function isKnown(header: string | null, etag: string): boolean {
  if (header === null) return false
  const known = header.split(',').map((one) => one.trim().replace(/^W\//, ''))
  return known.includes('*') || known.includes(etag)
}

const FORM = 'multipart/form-data'

const isForm = (request: Request): boolean => mediaTypeOf(request) === FORM

/** Reads the fields of a form, files included. Never buffers more than the limit. */
async function readForm(
  request: Request,
  mostBytes: number,
): Promise<Readonly<Record<string, string | File>>> {
  const pieces: Uint8Array[] = []
  for await (const piece of limitBytes(request, mostBytes)) pieces.push(piece)
  const fields = [...(await parseForm(Buffer.concat(pieces), request.headers.get('content-type') ?? ''))]
  const names = fields.map(([name]) => name)
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) {
    throw new HttpError('invalid-input', `duplicate form field "${twice}"`, {
      hint: 'send one file per request',
    })
  }
  return Object.fromEntries(fields)
}

async function parseForm(bytes: Uint8Array, type: string): Promise<FormData> {
  try {
    return await new Response(bytes, { headers: { 'content-type': type } }).formData()
  } catch (cause) {
    throw new HttpError('malformed-request', 'invalid form data', {
      hint: `not valid ${FORM}, or truncated: ${(cause as Error).message}`,
    })
  }
}
