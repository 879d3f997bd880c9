// Handles one request: authenticate, validate, call the memory, respond.

import type { Handler } from 'hono'
import type { z } from 'zod'
import { definedFields } from '../domain/defined-fields.ts'
import { KeyedMutex } from '../domain/keyed-mutex.ts'
import { check } from '../schemas/check.ts'
import { answerJson } from './answer-json.ts'
import { admit } from './entrance/admit.ts'
import { announcedBytes } from './entrance/body-room.ts'
import { checkMediaType, readJson } from './entrance/read-body.ts'
import { isForm, readForm } from './entrance/read-form.ts'
import { HttpError } from './http-error.ts'
import { shownKey } from './proxy/own-key.ts'
import { addressOf, type RequestContext, type ServerEnv } from './request-context.ts'
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
    const shown = route.isPassedOn === true ? shownKey(request) : undefined
    const caller = await admit(server, { request, address, scope: route.scope, ...definedFields({ shown }) })
    facts.workspace = caller.memory.workspaceId
    if (caller.keyId !== undefined) facts.keyId = caller.keyId
    const idempotencyKey = readIdempotencyKey(route, request)
    const outgoing = context.env?.outgoing
    const leave = await server.bodyRoom.enter(heldBytes(route, request, server))
    try {
      const call = {
        memory: caller.memory,
        scope: caller.scope,
        params: context.req.param(),
        query: readQuery(route, context),
        body: await readBody(route, request, server),
        ...(idempotencyKey !== undefined && { idempotencyKey }),
        request,
        requestId: facts.id,
        server,
        ...(outgoing && { breakOff: () => void outgoing.destroy() }),
      }
      const handle = () => route.handle(call)
      const answer = await (idempotencyKey
        ? mutex.run(JSON.stringify([caller.memory.workspaceId, idempotencyKey]), handle)
        : handle())
      return answer instanceof Response ? answer : answerJson(route, answer, request)
    } finally {
      leave()
    }
  }
}

/** Streamed bodies are not buffered, so they don't count. */
function heldBytes(route: Route, request: Request, { options }: ServerParts): number {
  if (route.takes !== undefined || (route.body ?? route.form) === undefined) return 0
  const isUpload = route.form !== undefined && isForm(request)
  return announcedBytes(request, isUpload ? options.uploadBytes : options.bodyBytes)
}

function readQuery(route: Route, context: RequestContext): unknown {
  if (route.isPassedOn === true) return {}
  const given = Object.entries(context.req.queries())
  const repeated = given.find(([, values]) => values.length > 1)
  if (repeated !== undefined) throw new HttpError('invalid-input', `${repeated[0]} is given more than once`)
  const fields = Object.fromEntries(given.map(([name, [value]]) => [name, value]))
  if (route.query !== undefined) return check(route.query, fields, { what: 'the query' })
  const [unknown] = Object.keys(fields)
  if (unknown !== undefined) throw new HttpError('invalid-input', `there is no parameter "${unknown}" here`)
  return {}
}

async function readBody(route: Route, request: Request, { options }: ServerParts): Promise<unknown> {
  if (route.takes !== undefined) {
    checkMediaType(request, route.takes)
    return undefined
  }
  if (route.form !== undefined && isForm(request))
    return checked(route.form, await readForm(request, options.uploadBytes))
  if (route.body === undefined || route.isPassedOn === true) return undefined
  return checked(route.body, await readJson(request, options.bodyBytes))
}

function checked(schema: z.ZodType, body: unknown): unknown {
  check(schema, body, { what: 'the request' })
  return body
}

function readIdempotencyKey(route: Route, request: Request): string | undefined {
  if (route.isRepeatable !== true) return undefined
  return request.headers.get('idempotency-key') ?? undefined
}
