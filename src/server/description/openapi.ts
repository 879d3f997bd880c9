// Generates the OpenAPI document from the routes.

import { z } from 'zod'
import type { Described } from '../../schemas/values.ts'
import type { Answer, Route } from '../route.ts'

type Json = Record<string, unknown>

export interface Operation {
  readonly operationId: string
  readonly tags: readonly [string]
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, ApiAnswer>>
  readonly security: readonly Json[]
  /** The scope that the API key must have. */
  readonly 'x-scope': string
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: Json
}

type Content = Readonly<Record<string, { readonly schema: Json }>>

export interface ApiAnswer {
  readonly description: string
  readonly content?: Content
  readonly headers?: Json
}

export interface ApiDocument {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Json>>; readonly securitySchemes: Json }
}

const ABOUT =
  'Memory for LLM chats over HTTP. Times are ISO 8601 in UTC. Pass `next` of a list as `cursor` to get the next page. ' +
  'All errors have the same shape: `{ error: { code, message, hint?, requestId } }`.'

export function describeApi(routes: readonly Route[], version = '0'): ApiDocument {
  const describer = new Describer()
  const paths: Record<string, Record<string, Operation>> = {}
  for (const route of routes) {
    const operations = paths[route.path] ?? {}
    operations[route.method] = describer.describe(route)
    paths[route.path] = operations
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Recollect', version, description: ABOUT },
    paths,
    components: {
      schemas: describer.schemas(),
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'Create one with recollect keys create.' },
      },
    },
  }
}

const failure = z
  .object({
    error: z.object({
      code: z.string(),
      message: z.string(),
      hint: z.string().optional(),
      requestId: z.string(),
    }),
  })
  .meta({ id: 'Failure' })

class Describer {
  readonly #schemas = new Map<string, Json>()

  describe(route: Route): Operation {
    const { operation, noun, summary, about, scope } = route
    const parameters = this.#parameters(route)
    const requestBody = this.#requestBody(route)
    return {
      operationId: operation,
      tags: [noun],
      summary,
      ...(about !== undefined && { description: about }),
      ...(parameters.length > 0 && { parameters }),
      ...(requestBody && { requestBody }),
      responses: {
        [route.answer.status]: this.#answer(route.answer),
        ...(route.supports?.includes('progress') && { 200: this.#withProgress(route.answer) }),
        ...(route.supports?.includes('etag') && { 304: { description: 'Not modified.' } }),
        default: { description: 'An error.', content: this.#content(failure) },
      },
      security: scope === 'public' ? [] : [{ key: [] }, {}],
      'x-scope': scope,
    }
  }

  schemas(): Readonly<Record<string, Json>> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  #parameters(route: Route): readonly Parameter[] {
    const path = [...route.path.matchAll(/\{(\w+)\}/g)].map(
      ([, name = '']): Parameter => ({ name, in: 'path', required: true, schema: { type: 'string' } }),
    )
    const headers: readonly Parameter[] = [
      ...(route.supports?.includes('idempotency-key') ? [IDEMPOTENCY_KEY] : []),
      ...(route.supports?.includes('etag') ? [IF_NONE_MATCH] : []),
    ]
    return [...path, ...this.#query(route), ...headers]
  }

  #query({ query }: Route): readonly Parameter[] {
    if (query === undefined) return []
    const { properties = {}, required = [] } = this.#schema(query) as {
      properties?: Record<string, Json>
      required?: readonly string[]
    }
    return Object.entries(properties).map(([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      required: required.includes(name),
      ...(typeof description === 'string' && { description }),
      schema,
    }))
  }

  #requestBody({ body }: Route): Operation['requestBody'] {
    if (body === undefined) return undefined
    const { json, form, mediaTypes = [] } = body
    const content = {
      ...Object.fromEntries(mediaTypes.map((type) => [type, { schema: {} }])),
      ...(json && this.#content(json)),
      ...(form && { 'multipart/form-data': { schema: this.#schema(form) } }),
    }
    return { required: !json?.safeParse({}).success, content }
  }

  #answer({ about, schema, mediaTypes }: Answer): ApiAnswer {
    if (schema !== undefined) return { description: about, content: this.#content(schema) }
    if (mediaTypes === undefined) return { description: about }
    const text = { schema: { type: 'string' } }
    return { description: about, content: Object.fromEntries(mediaTypes.map((type) => [type, text])) }
  }

  /** With progress, the status is sent before the outcome is known. */
  #withProgress(answer: Answer): ApiAnswer {
    const events = { 'text/event-stream': { schema: { type: 'string' } } }
    if (answer.status !== 200) return { description: PROGRESS, content: events }
    const { description, content } = this.#answer(answer)
    return { description: `${description} ${PROGRESS}`, content: { ...content, ...events } }
  }

  #content(schema: z.ZodType): Content {
    return { 'application/json': { schema: this.#schema(schema) } }
  }

  /** Named schemas are defined once, in the components. */
  #schema(schema: z.ZodType): Json {
    const {
      $schema: _,
      $defs = {},
      ...rest
    } = z.toJSONSchema(schema, {
      io: 'input',
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        useDescribed(zodSchema, jsonSchema)
        dropObvious(jsonSchema)
      },
    })
    for (const [name, definition] of Object.entries($defs)) this.#keep(name, definition as Json)
    const { id } = rest
    if (typeof id !== 'string') return pointToComponents(rest)
    this.#keep(id, rest)
    return { $ref: `#/components/schemas/${id}` }
  }

  #keep(name: string, { id: _, ...definition }: Json): void {
    this.#schemas.set(name, pointToComponents(definition))
  }
}

/** Applies the description that a schema provides for itself. */
function useDescribed(schema: unknown, target: object): void {
  const meta = z.globalRegistry.get(schema as z.ZodType) as { described?: Described } | undefined
  const json = target as Json
  if (meta?.described === undefined) return
  const { description } = json
  for (const name of Object.keys(json)) delete json[name]
  Object.assign(json, meta.described.schema, typeof description === 'string' && { description })
}

/** Drops bounds that merely say "safe integer": they apply to every whole number in JSON. */
function dropObvious(schema: { minimum?: number; maximum?: number }): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}

function pointToComponents(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'))
}

const PROGRESS =
  'With `Accept: text/event-stream`: `progress` events with `{ step, done, total }`, then one `done` event with the response, or one `error`.'

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A unique key of your choice: repeating the request with the same key has no further effect.',
  schema: { type: 'string', minLength: 1, maxLength: 200 },
}

const IF_NONE_MATCH: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The ETag of an earlier response: 304 if nothing changed.',
  schema: { type: 'string' },
}
