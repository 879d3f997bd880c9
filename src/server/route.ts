// One description for each route. Routing, validation, the OpenAPI document, the docs and the tests that walk
// through all routes are derived from it. A path names its parameters in braces, and so does the type of
// `params` in `handle`.

import { createHash } from 'node:crypto'
import type { z } from 'zod'
import {
  type Conversation,
  type ConversationMemory,
  type KeyScope,
  MemoryError,
  type Paginated,
  type Workspace,
} from '../index.ts'
import type { Sendable } from '../schemas/wire.ts'
import type { Scope } from './entrance/admit.ts'
import type { ServerParts } from './server-parts.ts'

/** Optional fields that are not given are missing, never undefined. */
type Given<Fields> = { readonly [Name in keyof Fields]: Exclude<Fields[Name], undefined> }

/** One validated request. */
export interface Call<Params, Query, Body> {
  /** The workspace that the caller has access to. */
  readonly memory: Workspace
  readonly scope: KeyScope
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** The Idempotency-Key: repeating the request with it has no further effect. */
  readonly idempotencyKey?: string
  readonly request: Request
  /** For errors after the response has started. */
  readonly requestId: string
  readonly server: ServerParts
  /** Closes the connection; missing if there is no connection. */
  readonly destroyConnection?: () => void
}

export interface Answer<Schema extends z.ZodType | undefined = z.ZodType | undefined> {
  readonly status: 200 | 201 | 202 | 204
  readonly about: string
  readonly schema: Schema
  /** Media types of a response that is not JSON. */
  readonly mediaTypes?: readonly string[]
}

type Answered<Schema> = Schema extends z.ZodType
  ? Sendable<z.output<Schema>> | Response
  : Response | undefined

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never
type ParamsOf<Path extends string> = { readonly [Name in ParamNames<Path>]: string }

interface RouteFields {
  /** The unique operation id, used by generated clients. */
  readonly operation: string
  readonly summary: string
  readonly about?: string
  readonly scope: Scope
  readonly supports?: readonly Feature[]
  /** Forwarded to the upstream server as it is. The Recollect key may be sent in another header than the upstream key. */
  readonly passthrough?: true
}

/**
 * - `etag`: responses have an ETag, and `If-None-Match` is answered with 304
 * - `idempotency-key`: repeating a request with the same Idempotency-Key has no further effect
 * - `progress`: clients that accept server-sent events get progress
 * - `unknown-fields`: unknown fields of the body are ignored, and named in the header X-Recollect-Warning
 */
export type Feature = 'etag' | 'idempotency-key' | 'progress' | 'unknown-fields'

/** What a route reads: JSON, JSON or a form with a file, or a stream of one of these media types. */
type BodyParts<Body> =
  | z.ZodType<unknown, Body>
  | { readonly json: z.ZodType<unknown, Body>; readonly form: z.ZodType<unknown, Body> }
  | { readonly mediaTypes: readonly string[] }

interface RouteParts<Path extends string, Query, Body, Schema extends z.ZodType | undefined>
  extends RouteFields {
  readonly query?: z.ZodType<Query>
  /** Validated, and passed on as it was sent: the memory reads it with the same schema. */
  readonly body?: BodyParts<Body>
  readonly answer: Answer<Schema>
  handle(call: Call<ParamsOf<Path>, Given<Query>, Given<Body>>): Promise<Answered<Schema>>
}

export interface Route extends RouteFields {
  readonly method: Method
  /** The heading under which it is listed. */
  readonly noun: string
  readonly path: string
  readonly query?: z.ZodType
  readonly body?: {
    readonly json?: z.ZodType
    readonly form?: z.ZodType
    readonly mediaTypes?: readonly string[]
  }
  readonly answer: Answer
  handle(call: Call<unknown, unknown, unknown>): Promise<unknown>
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
type Nothing = Readonly<Record<string, never>>
type Unlisted = Omit<Route, 'noun'>

const withMethod =
  (method: Method) =>
  <Path extends string, Schema extends z.ZodType | undefined, Query = Nothing, Body = Nothing>(
    path: Path,
    parts: RouteParts<Path, Query, Body, Schema>,
  ): Unlisted => {
    const { body } = parts
    const isJson = body !== undefined && 'safeParse' in body
    return { ...parts, method, path, ...(isJson && { body: { json: body } }) } as unknown as Unlisted
  }

export const route = {
  get: withMethod('get'),
  post: withMethod('post'),
  put: withMethod('put'),
  patch: withMethod('patch'),
  delete: withMethod('delete'),
}

/** Routes listed under one heading. */
export const routesOf = (noun: string, routes: readonly Unlisted[]): readonly Route[] =>
  routes.map((one) => ({ ...one, noun }))

export const ok = <Schema extends z.ZodType>(schema: Schema, about = 'OK.'): Answer<Schema> => ({
  status: 200,
  about,
  schema,
})

export const created = <Schema extends z.ZodType>(schema: Schema, about = 'Created.'): Answer<Schema> => ({
  status: 201,
  about,
  schema,
})

export const accepted = <Schema extends z.ZodType>(schema: Schema, about = 'Accepted.'): Answer<Schema> => ({
  status: 202,
  about,
  schema,
})

export const nothing: Answer<undefined> = { status: 204, about: 'No content.', schema: undefined }

export const stream = (about: string, ...mediaTypes: readonly string[]): Answer<undefined> => ({
  status: 200,
  about,
  schema: undefined,
  mediaTypes,
})

/** One page of a list, under the name of what it lists. */
export async function pageOf<Name extends string, T>(
  name: Name,
  list: PromiseLike<Paginated<T>>,
): Promise<PageOf<Name, T>> {
  const { items, next = null } = await list
  return { [name]: items, next } as PageOf<Name, T>
}

type PageOf<Name extends string, T> = Readonly<Record<Name, readonly T[]>> & { readonly next: string | null }

/** For read routes: throws not-found if the conversation does not exist. */
export async function needConversation(
  memory: Workspace,
  id: string,
): Promise<{ readonly handle: ConversationMemory; readonly conversation: Conversation }> {
  const handle = memory.conversation(id)
  const conversation = await handle.get()
  if (conversation !== undefined) return { handle, conversation }
  throw notFound(`there is no conversation "${id}"`, 'GET /api/conversations lists them')
}

export const notFound = (message: string, hint?: string): MemoryError =>
  new MemoryError('not-found', message, hint === undefined ? {} : { hint })

/**
 * Derives the id of a created object from the Idempotency-Key, so that a repeated request finds the object of
 * the first. `place` keeps one key, used for two kinds of objects, from producing the same id.
 */
export function idFromKey(
  idempotencyKey: string | undefined,
  ...place: readonly string[]
): { readonly id?: string } {
  if (idempotencyKey === undefined) return {}
  const digest = createHash('sha256')
    .update(JSON.stringify([idempotencyKey, ...place]))
    .digest('hex')
  return { id: `key-${digest.slice(0, 32)}` }
}
