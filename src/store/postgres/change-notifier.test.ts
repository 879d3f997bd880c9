import fc from 'fast-check'
import { expect, test } from 'vitest'
import { workspaceId } from '../../domain/ids.ts'
import { toPayloads } from './change-notifier.ts'

const workspace = workspaceId('here')
const change = fc.record(
  {
    workspace: fc.constant(workspace),
    kind: fc.constantFrom('conversation', 'page', 'document'),
    id: fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ minLength: 5000, maxLength: 9000 }),
    ),
  },
  { requiredKeys: ['workspace', 'kind'] },
)

test('payloads fit into the limit of PostgreSQL and name every change, or "everything"', () => {
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 250 }), (changes) => {
      const payloads = toPayloads('origin', changes)
      for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThan(8000)
      const told = payloads.flatMap((payload) => JSON.parse(payload).slice(1))
      const isAll = told.some(([kind]) => kind === 'everything')
      const names = new Set(told.map((entry) => JSON.stringify(entry)))
      for (const { kind, id } of changes)
        expect(isAll || names.has(JSON.stringify(id === undefined ? [kind] : [kind, id]))).toBe(true)
    }),
    { numRuns: 60 },
  )
})
