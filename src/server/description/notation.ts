type Json = Readonly<Record<string, unknown>>

/**
 * Writes a schema as a TypeScript-like type: `{ id: string, tags?: string[] }`. Named schemas appear by name.
 */
export function toNotation(schema: Json): string {
  const { $ref, const: only, enum: choices, anyOf, oneOf, allOf } = schema
  if (typeof $ref === 'string') return nameOf($ref)
  if (only !== undefined) return JSON.stringify(only)
  if (Array.isArray(choices)) return choices.map((choice) => JSON.stringify(choice)).join(' | ')
  const union = anyOf ?? oneOf
  if (Array.isArray(union)) return [...new Set(union.map(toNotation))].join(' | ')
  if (Array.isArray(allOf)) return allOf.map(toNotation).join(' & ')
  const { type } = schema
  if (Array.isArray(type)) return type.map((one) => byType({ ...schema, type: one })).join(' | ')
  return byType(schema)
}

export const nameOf = (reference: string): string => reference.split('/').at(-1) ?? reference

function byType(schema: Json): string {
  switch (schema['type']) {
    case 'string':
      return schema['format'] === 'date-time' ? 'time' : 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'null':
      return 'null'
    case 'array':
      return arrayNotation(schema)
    case 'object':
      return objectNotation(schema)
    default:
      return 'any'
  }
}

function arrayNotation({ items, prefixItems }: Json): string {
  if (Array.isArray(prefixItems)) return `[${prefixItems.map(toNotation).join(', ')}]`
  const item = toNotation((items ?? {}) as Json)
  return item.includes(' ') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`
}

function objectNotation({ properties, required = [], additionalProperties }: Json): string {
  if (properties === undefined) {
    const value = typeof additionalProperties === 'object' ? toNotation(additionalProperties as Json) : 'any'
    return `{ [key]: ${value} }`
  }
  const fields = Object.entries(properties as Record<string, Json>).map(
    ([name, field]) =>
      `${name}${(required as readonly string[]).includes(name) ? '' : '?'}: ${toNotation(field)}`,
  )
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}
