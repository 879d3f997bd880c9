import { expect, test } from 'vitest'
import type { UnpackedBlock } from './pack-messages.ts'
import { RecentBlocks } from './recent-blocks.ts'

const KB = 1024
const aBlock = (bytes: number): UnpackedBlock => ({ positions: [], bytes, wordsAt: () => undefined })

test('the most recently used blocks are kept, never more than 24 MB in total', () => {
  const recent = new RecentBlocks()
  for (let number = 0; number < 200; number++) {
    recent.add(number, aBlock(256 * KB))
    expect(recent.get(0)).toBeDefined()
  }
  const kept = Array.from({ length: 200 }, (_, number) => number).filter((number) => recent.get(number))
  expect(kept).toHaveLength(96)
  expect(kept.at(-1)).toBe(199)
})

test('a block added twice counts once, and one that is too large is not kept', () => {
  const recent = new RecentBlocks()
  for (let i = 0; i < 100; i++) recent.add(1, aBlock(256 * KB))
  recent.add(2, aBlock(256 * KB + 1))
  for (let number = 10; number < 105; number++) recent.add(number, aBlock(256 * KB))
  expect(recent.get(1)).toBeDefined()
  expect(recent.get(2)).toBeUndefined()
})
