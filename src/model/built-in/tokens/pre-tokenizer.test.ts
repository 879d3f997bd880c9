import fc from 'fast-check'
import { CL100K_TOKEN_SPLIT_REGEX, O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants'
import { expect, test } from 'vitest'
import { effort } from '../../../../test/support/effort.ts'
import { anyText } from '../../../../test/support/text.arbitrary.ts'
import { endOfPlainWord, isLoneSign } from './count-tokens.ts'
import type { EndOfPiece } from './pre-tokenizer.ts'
import { END, endOfCl100kPiece, endOfO200kPiece } from './pre-tokenizer.ts'

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

test.each(VOCABULARIES)('%s is split where its pattern splits', (_, endOfPiece, pattern) => {
  fc.assert(
    fc.property(anyText, (text) => {
      const whole = text.toWellFormed()
      expect(cut(whole, endOfPiece)).toEqual(whole.match(pattern) ?? [])
    }),
    { numRuns: effort({ short: 600, long: 3000 }) },
  )
})

test.each(VOCABULARIES)('a plain word and a lone punctuation mark end where %s splits', (_, endOfPiece) => {
  fc.assert(
    fc.property(anyText, (text) => {
      const bytes = toBytes(text)
      for (let start = 0; start < bytes.length - 1; start = endOfPiece(bytes, start)) {
        const end = endOfPlainWord(bytes, start)
        if (end > start) expect(end).toBe(endOfPiece(bytes, start))
        if (isLoneSign(bytes, start)) expect(endOfPiece(bytes, start)).toBe(start + 1)
      }
    }),
    { numRuns: effort({ short: 200, long: 1000 }) },
  )
})
