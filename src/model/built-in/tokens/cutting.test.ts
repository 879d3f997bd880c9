import fc from 'fast-check'
import { CL100K_TOKEN_SPLIT_REGEX, O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants'
import { expect, test } from 'vitest'
import { END } from './character-kinds.ts'
import { endOfCl100kPiece } from './cl100k-pieces.ts'
import type { EndOfPiece } from './cutting-rules.ts'
import { endOfO200kPiece } from './o200k-pieces.ts'
import { hashOf, type Piece } from './piece.ts'
import { cutPlainWord } from './plain-word.ts'
import { anyText } from './text.arbitrary.ts'

const VOCABULARIES = [
  ['o200k', endOfO200kPiece, O200K_TOKEN_SPLIT_REGEX],
  ['cl100k', endOfCl100kPiece, CL100K_TOKEN_SPLIT_REGEX],
] as const

const toBytes = (text: string) => Buffer.concat([Buffer.from(text), Buffer.of(END)])

function cut(text: string, endOfPiece: EndOfPiece): string[] {
  const bytes = toBytes(text)
  const pieces: string[] = []
  for (let start = 0; start < bytes.length - 1; ) {
    const end = endOfPiece(bytes, start)
    pieces.push(bytes.toString('utf8', start, end))
    start = end
  }
  return pieces
}

test.each(VOCABULARIES)('%s is cut where its pattern cuts', (_, endOfPiece, pattern) => {
  fc.assert(
    fc.property(anyText, (text) => {
      const whole = text.toWellFormed()
      expect(cut(whole, endOfPiece)).toEqual(whole.match(pattern) ?? [])
    }),
    { numRuns: 3000 },
  )
})

test.each(VOCABULARIES)('a plain word ends where %s cuts', (_, endOfPiece) => {
  fc.assert(
    fc.property(anyText, (text) => {
      const bytes = toBytes(text)
      const piece: Piece = { start: 0, end: 0, hash: 0 }
      for (; piece.start < bytes.length - 1; piece.start = endOfPiece(bytes, piece.start)) {
        if (!cutPlainWord(bytes, piece)) continue
        expect(piece.end).toBe(endOfPiece(bytes, piece.start))
        expect(piece.hash).toBe(hashOf(bytes, piece.start, piece.end))
      }
    }),
    { numRuns: 1000 },
  )
})
