// Values generated from the schemas of the OpenAPI document, and corrupted variants of them.

import fc, { type Arbitrary } from 'fast-check'

type Json = Readonly<Record<string, unknown>>

const anyText = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\ud800',
    '😀',
    '../..',
    '%00',
    '2026-05-01T12:00:00Z',
    '2026-05-01',
    '-1',
    'null',
    '__proto__',
    'a'.repeat(300),
  ),
)

const strangeValue: Arbitrary<unknown> = fc.oneof(
  anyText,
  fc.constantFrom(null, true, false, 0, -1, 1e308, 1.5, Number.MAX_SAFE_INTEGER, [], {}, [[[[]]]], {
    messages: [],
  }),
  fc.jsonValue({ maxDepth: 3 }),
)

/** Values that the schema allows. */
export function valuesOf(schema: Json, schemas: Readonly<Record<string, Json>>): Arbitrary<unknown> {
  const { $ref, const: only, enum: choices, anyOf, oneOf, type } = schema
  if (typeof $ref === 'string') return valuesOf(schemas[$ref.split('/').at(-1) ?? ''] ?? {}, schemas)
  if (only !== undefined) return fc.constant(only)
  if (Array.isArray(choices)) return fc.constantFrom(...choices)
  const union = (anyOf ?? oneOf) as readonly Json[] | undefined
  if (union !== undefined) return fc.oneof(...union.map((one) => valuesOf(one, schemas)))
  if (type === 'object') return objectsOf(schema, schemas)
  if (type === 'array') return arraysOf(schema, schemas)
  return plainOf(schema)
}

function plainOf({ type, minimum, maximum }: Json): Arbitrary<unknown> {
  const range = {
    min: typeof minimum === 'number' ? minimum : -1000,
    max: typeof maximum === 'number' ? Math.min(maximum, 100_000) : 100_000,
  }
  if (type === 'string') return anyText
  if (type === 'boolean') return fc.boolean()
  if (type === 'integer') return fc.integer({ min: Math.ceil(range.min), max: Math.floor(range.max) })
  if (type === 'number') return fc.double({ ...range, noNaN: true })
  if (type === 'null') return fc.constant(null)
  return fc.jsonValue({ maxDepth: 3 })
}

function arraysOf({ items = {}, minItems = 0 }: Json, schemas: Readonly<Record<string, Json>>) {
  return fc.array(valuesOf(items as Json, schemas), { minLength: minItems as number, maxLength: 4 })
}

function objectsOf({ properties, required = [] }: Json, schemas: Readonly<Record<string, Json>>) {
  if (properties === undefined) return fc.dictionary(anyText, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
  const fields = Object.entries(properties as Record<string, Json>)
  const record = Object.fromEntries(fields.map(([name, field]) => [name, valuesOf(field, schemas)]))
  return fc.record(record, { requiredKeys: required as never[] })
}

/** The value unchanged, or corrupted in one place. */
export function perhapsBroken(values: Arbitrary<unknown>): Arbitrary<unknown> {
  const change = fc.record({
    at: fc.nat(),
    kind: fc.constantFrom('replace', 'drop', 'add'),
    by: strangeValue,
  })
  return fc.oneof(
    { weight: 3, arbitrary: values },
    {
      weight: 3,
      arbitrary: fc
        .tuple(values, change)
        .map(([value, { at, kind, by }]) => breakAt(value, { at, kind, by })),
    },
    { weight: 1, arbitrary: strangeValue },
  )
}

interface Break {
  readonly at: number
  readonly kind: string
  readonly by: unknown
}

/** Descends by the digits of `at` to a leaf. */
function breakAt(value: unknown, { at, kind, by }: Break): unknown {
  if (typeof value !== 'object' || value === null) return by
  const names = Object.keys(value)
  if (names.length === 0 || kind === 'add')
    return Array.isArray(value) ? [...value, by] : { ...value, unknown: by }
  const name = names[at % names.length] as string
  const rest = Math.floor(at / names.length)
  const field = (value as Record<string, unknown>)[name]
  if (kind === 'drop') return Object.fromEntries(Object.entries(value).filter(([one]) => one !== name))
  const inner = rest % 2 === 0 ? by : breakAt(field, { at: rest, kind, by })
  if (Array.isArray(value)) return value.map((one, i) => (String(i) === name ? inner : one))
  return { ...value, [name]: inner }
}

export const strangeText: Arbitrary<string> = anyText
