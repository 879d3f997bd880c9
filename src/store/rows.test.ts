import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromContent } from './rows.ts'

test('content is stored as JSON', () => {
  const ascii = fc.integer({ min: 0, max: 127 }).map((code) => String.fromCharCode(code))
  const text = fc.oneof(fc.lorem(), fc.string({ unit: ascii }), fc.string({ unit: 'binary' }))
  fc.assert(
    fc.property(text, (content) => {
      expect(fromContent(content)).toBe(JSON.stringify(content))
      const parts = [{ type: 'text', text: content }] as const
      expect(fromContent(parts)).toBe(JSON.stringify(parts))
    }),
  )
})
