import { expect, test } from 'vitest'
import type { Piece } from './piece.ts'
import { RecentPieces } from './recent-pieces.ts'

/** All have one hash, and so one place. */
function pieceOf(text: string): [Buffer, Piece] {
  const bytes = Buffer.from(text)
  return [bytes, { start: 0, end: bytes.length, hash: 4711 }]
}

test('of pieces that share a place the last one is known, and none is taken for another', () => {
  const recent = new RecentPieces()
  expect(recent.costOf(...pieceOf('word'))).toBe(0)
  recent.keep(...pieceOf('word'), 2)
  recent.keep(...pieceOf('wo'), 1)
  expect(recent.costOf(...pieceOf('wo'))).toBe(1)
  expect(recent.costOf(...pieceOf('word'))).toBe(0)
  expect(recent.costOf(...pieceOf('wa'))).toBe(0)
})

test('a piece too long for its place leaves it as it is', () => {
  const recent = new RecentPieces()
  recent.keep(...pieceOf('fourteen bytes'), 3)
  recent.keep(...pieceOf('even more bytes'), 4)
  expect(recent.costOf(...pieceOf('fourteen bytes'))).toBe(3)
  expect(recent.costOf(...pieceOf('even more bytes'))).toBe(0)
})
