import { expect, test } from 'vitest'
import { toNotation } from './pages.ts'

test.each([
  [{ type: 'string' }, 'string'],
  [{ type: 'string', format: 'date-time' }, 'time'],
  [{ type: 'integer' }, 'number'],
  [{ enum: ['a', 'b'] }, '"a" | "b"'],
  [{ type: ['string', 'null'], format: 'date-time' }, 'time | null'],
  [{ const: true }, 'true'],
  [{ $ref: '#/components/schemas/Topic' }, 'Topic'],
  [{ type: 'array', items: { type: 'string' } }, 'string[]'],
  [{ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } }, '(string | null)[]'],
  [{ type: 'array', prefixItems: [{ type: 'integer' }, { type: 'integer' }] }, '[number, number]'],
  [{ allOf: [{ $ref: '#/x/Key' }, { type: 'object', properties: {} }] }, 'Key & {}'],
  [{ type: 'object', additionalProperties: { type: 'number' } }, '{ [key]: number }'],
  [
    { type: 'object', properties: { a: { type: 'boolean' }, b: {} }, required: ['a'] },
    '{ a: boolean, b?: any }',
  ],
])('%j is written %s', (schema, notation) => {
  expect(toNotation(schema)).toBe(notation)
})
