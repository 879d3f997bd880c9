// One description for each route. Routing, validation, the OpenAPI document, the docs and the tests that walk
// through all routes are derived from it. A path names its parameters in braces, and so does the type of
// `params` in `handle`.

import type { z } from 'zod'
import type { KeyScope, Workspace } from '../index.ts'
import type { Sendable } from '../schemas/wire.ts'
import type { Scope } from './entrance/admit.ts'
import type { ServerParts } from './server-parts.ts'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The heading under which a route is listed. */
export type Noun =
  | 'Server'
  | 'Conversations'
  | 'Messages'
  | 'Context'
  | 'Chat'
  | 'Proxy'
  | 'Recall'
  | 'Documents'
  | 'Search'
  | 'Topics'
  | 'Summaries'
  | 'Facts'
  | 'Entities'
  | 'Preferences'
  | 'Notes'
  | 'Feedback'
  | 'Pages'
  | 'Export and import'
  | 'Upkeep'
  | 'Workspaces and keys'

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
  readonly breakOff?: () => void
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
  readonly method: Method
  readonly noun: Noun
  /** The unique operation id, used by generated clients. */
  readonly operation: string
  readonly summary: string
  readonly about?: string
  readonly scope: Scope
  /** Responses have an ETag. */
  readonly hasEtag?: boolean
  /** Accepts an Idempotency-Key. */
  readonly isRepeatable?: boolean
  /**
   * Forwarded to the upstream server without validation; the Recollect key may be sent in place of the
   * upstream key.
   */
  readonly isPassedOn?: boolean
  /** Media types of a body that is streamed instead of parsed. */
  readonly takes?: readonly string[]
  /** Reports progress as server-sent events to clients that accept them. */
  readonly hasProgress?: boolean
}

interface RouteParts<Path extends string, Query, Body, Schema extends z.ZodType | undefined>
  extends RouteFields {
  readonly path: Path
  readonly query?: z.ZodType<Query>
  /** Validated, and passed on as it was sent: the memory reads it with the same schema. */
  readonly body?: z.ZodType<unknown, Body>
  /** The fields of a form with a file, accepted instead of JSON. */
  readonly form?: z.ZodType<unknown, Body>
  readonly answer: Answer<Schema>
  handle(call: Call<ParamsOf<Path>, Query, Body>): Promise<Answered<Schema>>
}

export interface Route extends RouteFields {
  readonly path: string
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  readonly form?: z.ZodType
  readonly answer: Answer
  handle(call: Call<unknown, unknown, unknown>): Promise<unknown>
}

type Nothing = Readonly<Record<string, never>>

export function route<
  Path extends string,
  Schema extends z.ZodType | undefined,
  Query = Nothing,
  Body = Nothing,
>(parts: RouteParts<Path, Query, Body, Schema>): Route {
  return parts as unknown as Route
}

export const ok = <Schema extends z.ZodType>(schema: Schema, about = 'Done.'): Answer<Schema> => ({
  status: 200,
  about,
  schema,
})

export const created = <Schema extends z.ZodType>(schema: Schema, about = 'Made.'): Answer<Schema> => ({
  status: 201,
  about,
  schema,
})

export const accepted = <Schema extends z.ZodType>(schema: Schema, about = 'Begun.'): Answer<Schema> => ({
  status: 202,
  about,
  schema,
})

export const nothing: Answer<undefined> = { status: 204, about: 'Done.', schema: undefined }

export const stream = (about: string, ...mediaTypes: readonly string[]): Answer<undefined> => ({
  status: 200,
  about,
  schema: undefined,
  mediaTypes,
})
