import { expect, test } from 'vitest'
import { newId } from './ids.ts'

test('ids are 26 letters and digits, unique, and sort by creation time', () => {
  const times = [0, 1, 31, 32, 1_000_000, Date.parse('2026-05-01'), Date.parse('2026-05-01') + 1]
  const ids = times.flatMap((time) => Array.from({ length: 1000 }, () => newId(new Date(time))))
  expect(ids.every((id) => /^[0-9a-hjkmnp-tv-z]{26}$/.test(id))).toBe(true)
  expect(new Set(ids).size).toBe(ids.length)
  const prefixes = ids.map((id) => id.slice(0, 10))
  expect([...prefixes].sort()).toEqual(prefixes)
  expect(new Set(prefixes).size).toBe(times.length)
})

test('all characters of an id after the time are random', () => {
  const ids = Array.from({ length: 2000 }, () => newId(new Date(0)).slice(10))
  for (let place = 0; place < 16; place++) expect(new Set(ids.map((id) => id[place])).size).toBe(32)
})
