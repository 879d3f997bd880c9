import { describe, expect, it } from 'vitest'
import { RecentCache } from './recent-cache.ts'

describe('a cache of recent values', () => {
  it('keeps what was set or used last, and drops the rest', () => {
    const cache = new RecentCache<number, string>(10)
    for (let key = 0; key < 100; key++) {
      cache.set(key, `value ${key}`)
      expect(cache.get(0)).toBe('value 0')
    }

    for (let key = 90; key < 100; key++) expect(cache.get(key)).toBe(`value ${key}`)
    expect(cache.get(50)).toBeUndefined()
  })

  it('holds at most twice its size', () => {
    const cache = new RecentCache<number, number>(10)
    for (let key = 0; key < 1000; key++) cache.set(key, key)

    const held = Array.from({ length: 1000 }, (_, key) => key).filter((key) => cache.get(key) !== undefined)
    expect(held.length).toBeLessThanOrEqual(20)
  })
})
