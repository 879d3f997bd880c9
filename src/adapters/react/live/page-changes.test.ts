import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PageChanges } from '../../../index.ts'
import { addChanges, applyChanges, type PageContext } from './page-changes.ts'

const empty: PageContext = {
  pageId: 'sales',
  activeFile: null,
  currentTopic: null,
  entities: {},
  preferences: {},
  queryCount: 0,
  createdAt: '2026-05-01T00:00:00.000Z',
  updatedAt: '2026-05-01T00:00:00.000Z',
  lastUsedAt: '2026-05-01T00:00:00.000Z',
}

const keys = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom(null, 1, 'two'))
const changes: fc.Arbitrary<PageChanges> = fc.record(
  {
    activeFile: fc.constantFrom(null, { id: 'one' }, { id: 'two', name: 'Two' }),
    currentTopic: fc.constantFrom(null, 'costs', 'revenue'),
    entities: fc.option(keys),
    preferences: fc.option(keys),
  },
  { requiredKeys: [] },
)

const applyAll = (all: readonly PageChanges[]) => all.reduce(applyChanges, empty)

test('merged changes have the same effect as applying them one after the other', () => {
  fc.assert(
    fc.property(fc.array(changes), (all) => {
      const waiting = all.reduce<readonly PageChanges[]>(addChanges, [])
      expect(applyAll(waiting)).toEqual(applyAll(all))
      expect(waiting.length).toBeLessThanOrEqual(all.length)
    }),
  )
})

test('changes applied again, as after a reload, have no further effect', () => {
  fc.assert(
    fc.property(changes, (change) => {
      const once = applyChanges(empty, change)
      expect(applyChanges(once, change)).toEqual(once)
    }),
  )
})

test('changes made while typing are merged into one', () => {
  const typed: PageChanges[] = [
    { currentTopic: 'r' },
    { currentTopic: 're' },
    { preferences: { chart: 'bar' } },
  ]
  expect(typed.reduce<readonly PageChanges[]>(addChanges, [])).toEqual([
    { currentTopic: 're', preferences: { chart: 'bar' } },
  ])
})
