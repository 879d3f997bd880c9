import { expect, test } from 'vitest'
import { readRetryAfter } from './call-failure.ts'

const now = Date.parse('2026-05-04T12:00:00Z')

test.each([
  [{ 'retry-after': '7' }, 7000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after': 'Mon, 04 May 2026 12:00:30 GMT' }, 30_000],
  [{ 'retry-after': 'Mon, 04 May 2026 11:00:00 GMT' }, 0],
  [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '-5 apples' }, undefined],
  [{}, undefined],
])('%o means %s ms', (headers, expected) => {
  expect(readRetryAfter(headers, now)).toBe(expected)
  expect(readRetryAfter(new Headers(headers), now)).toBe(expected)
})
