// One description for each route: routing, checks, the OpenAPI document, the docs and the tests that walk through all
// routes come from it. A path names its parameters in braces, and so does the type of what `handle` gets.

import { z } from 'zod'
import type { KeyScope, Workspace } from '../index.ts'
import type { Scope } from './entrance/admit.ts'
import type { ServerParts } from './server-parts.ts'
import type { Sendable } from './wire.ts'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** What a route is about: the heading that it stands under. */
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

/** One request, checked, on its way to the memory. */
export interface Call<Params, Query, Body> {
  /** Of the workspace that the caller may see. */
  readonly memory: Workspace
  readonly scope: KeyScope
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** The caller's name for this request: repeating it changes nothing. */
  readonly idempotencyKey?: string
  readonly request: Request
  /** For what fails after the answer has begun. */
  readonly requestId: string
  readonly server: ServerParts
  /** Cuts the connection; missing where there is none. */
  readonly breakOff?: () => void
}

export interface Answer<Schema extends z.ZodType | undefined = z.ZodType | undefined> {
  readonly status: 200 | 201 | 202 | 204
  readonly about: string
  readonly schema: Schema
  /** Of an answer that is not JSON made from a value. */
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
  /** A name of its own, for clients that are made from the description. */
  readonly operation: string
  readonly summary: string
  readonly about?: string
  readonly scope: Scope
  /** Tells by a tag whether the answer is still the same. */
  readonly hasEtag?: boolean
  /** Takes an Idempotency-Key. */
  readonly isRepeatable?: boolean
  /** The body is described here and checked by the memory, which says better what is wrong. */
  readonly isCheckedInside?: boolean
  /** Handed on to the server behind: nothing is checked here, and the key may stand where that of the other does. */
  readonly isPassedOn?: boolean
  /** Takes the body as it comes: its media types. */
  readonly takes?: readonly string[]
  /** Tells how far it is, as server-sent events, to whoever accepts those. */
  readonly hasProgress?: boolean
}

interface RouteParts<Path extends string, Query, Body, Schema extends z.ZodType | undefined>
  extends RouteFields {
  readonly path: Path
  readonly query?: z.ZodType<Query>
  readonly body?: z.ZodType<Body>
  /** The fields of a form with a file in it, which is taken instead of JSON. */
  readonly form?: z.ZodType<Body>
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

/** The fields of an address after the question mark; no others are taken. */
export const queryOf = <Shape extends z.ZodRawShape>(shape: Shape): z.ZodType<z.output<z.ZodObject<Shape>>> =>
  z.strictObject(shape) as unknown as z.ZodType<z.output<z.ZodObject<Shape>>>
