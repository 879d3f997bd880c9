import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { ApiDocument, Operation } from '../../src/server/description/openapi.ts'

export interface ListedOperation {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

export function operationsOf({ paths }: ApiDocument): readonly ListedOperation[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
}

/** Validates values against schemas of the OpenAPI document, as a client would. */
export function validatorOf(document: ApiDocument): (schema: object, value: unknown) => readonly string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  ajv.addSchema(withReferences(document) as object, 'document')
  const known = new Map<object, ValidateFunction>()
  return (schema, value) => {
    const validate = known.get(schema) ?? ajv.compile(withReferences(schema) as object)
    known.set(schema, validate)
    if (validate(value)) return []
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    )
  }
}

/** References point into the document, wherever the schema is. */
function withReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withReferences)
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withReferences(field)]))
  if (typeof copy['$ref'] === 'string' && copy['$ref'].startsWith('#'))
    return { ...copy, $ref: `document${copy['$ref']}` }
  return copy
}

/** Fills the braces of a path. */
export function fillPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`no value for {${name}} of ${path}`)
    return encodeURIComponent(value)
  })
}

type Json = Readonly<Record<string, unknown>>

/** The fields of a response that its schema does not declare, at any depth. */
export function undescribedFields(document: ApiDocument, schema: Json, value: unknown): readonly string[] {
  return fieldsBeyond([schema], value, { place: '', schemas: document.components.schemas })
}

interface Looking {
  readonly place: string
  readonly schemas: Readonly<Record<string, Json>>
}

function fieldsBeyond(
  parts: readonly Json[],
  value: unknown,
  { place, schemas }: Looking,
): readonly string[] {
  const options = parts.flatMap((part) => alternatives(part, schemas))
  if (Array.isArray(value)) {
    const items = options.flatMap<Json>(({ items: all, prefixItems: each }) => (all ?? each ?? {}) as Json)
    return value.flatMap((one, i) => fieldsBeyond(items, one, { place: `${place}[${i}]`, schemas }))
  }
  const named = options.filter(({ properties }) => properties !== undefined)
  if (typeof value !== 'object' || value === null || named.length === 0) return []
  const isOpen = options.some(({ additionalProperties: more }) => more !== undefined && more !== false)
  return Object.entries(value).flatMap(([name, field]) => {
    const inner = named.flatMap<Json>(({ properties }) => (properties as Record<string, Json>)[name] ?? [])
    if (inner.length === 0) return isOpen ? [] : [`${place}.${name}`]
    return fieldsBeyond(inner, field, { place: `${place}.${name}`, schemas })
  })
}

function alternatives(part: Json, schemas: Looking['schemas']): readonly Json[] {
  const { $ref, anyOf, oneOf, allOf } = part
  if (typeof $ref === 'string') return alternatives(schemas[$ref.split('/').at(-1) ?? ''] ?? {}, schemas)
  const parts = anyOf ?? oneOf ?? allOf
  return Array.isArray(parts)
    ? (parts as readonly Json[]).flatMap((one) => alternatives(one, schemas))
    : [part]
}
