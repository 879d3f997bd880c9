import { expect, test } from 'vitest'
import { readTime } from './foreign.ts'

const NOON = '2024-05-01T12:00:00.000Z'

test.each<[unknown, string | undefined]>([
  [1_714_564_800, NOON],
  [1_714_564_800.25, '2024-05-01T12:00:00.250Z'],
  [1_714_564_800_000, NOON],
  [1_714_564_800_000_000, NOON],
  [1_714_564_800_000_000_000, NOON],
  ['1714564800', NOON],
  ['2024-05-01T12:00:00Z', NOON],
  ['2024-05-01T14:00:00+02:00', NOON],
  ['2024-05-01T12:00:00', NOON],
  ['2024-05-01 12:00:00.000000', NOON],
  ['2024-05-01', '2024-05-01T00:00:00.000Z'],
  [null, undefined],
  [undefined, undefined],
  ['', undefined],
  ['soon', undefined],
  [0, undefined],
  [Number.NaN, undefined],
  [Number.POSITIVE_INFINITY, undefined],
  [{}, undefined],
  [1e300, undefined],
])('%s is read as %s', (value, moment) => {
  expect(readTime(value)?.toISOString()).toBe(moment)
})
