import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import fc from 'fast-check'
import cl100k from 'gpt-tokenizer/bpeRanks/cl100k_base'
import o200k from 'gpt-tokenizer/bpeRanks/o200k_base'
import { expect, test } from 'vitest'
import { effort } from '../../../../test/support/effort.ts'
import { anyText } from '../../../../test/support/text.arbitrary.ts'
import { MAX_SHORT_BYTES, mergeLong, mergeShort } from './merge-tokens.ts'
import { HEAD_BYTES, NO_RANK, parseTokens, TokenTable } from './token-table.ts'

const require = createRequire(import.meta.url)
const load = (path: string) => parseTokens(readFileSync(require.resolve(path)))
const VOCABULARIES = [
  ['o200k', load('gpt-tokenizer/data/o200k_base.tiktoken'), o200k],
  ['cl100k', load('gpt-tokenizer/data/cl100k_base.tiktoken'), cl100k],
] as const

function* tokensIn(entries: Uint8Array): Generator<Buffer> {
  for (let at = 0; at < entries.length; at += HEAD_BYTES + (entries[at] as number)) {
    const start = at + HEAD_BYTES
    yield Buffer.from(entries.buffer, start, entries[at] as number)
  }
}

/** The ranks of the intermediate tokens, in order; by the definition, however slow. */
function ranksOnTheWay(table: TokenTable, bytes: Uint8Array): number[] {
  const ends = Array.from(bytes, (_, i) => i)
  const ranks: number[] = []
  ends.push(bytes.length)
  for (;;) {
    let lowest = NO_RANK
    let at = 0
    for (let i = 0; i + 2 < ends.length; i++) {
      const rank = table.rankOf(bytes, ends[i] as number, ends[i + 2] as number)
      if (rank < lowest) [lowest, at] = [rank, i]
    }
    if (lowest === NO_RANK) return ranks
    ends.splice(at + 1, 1)
    ranks.push(lowest)
  }
}

test.each(VOCABULARIES)('the file of %s has the tokens in order of rank', (_, entries, ranks) => {
  const toBytes = (token: string | readonly number[]) =>
    typeof token === 'string' ? Buffer.from(token) : Buffer.from(token)
  const tokens = [...tokensIn(entries)]
  expect(tokens.length).toBe(ranks.length)
  const table = new TokenTable(entries)
  const isRight = (bytes: Buffer, rank: number) =>
    bytes.equals(toBytes(ranks[rank] as string)) && table.rankOf(bytes, 0, bytes.length) === rank
  expect(tokens.findIndex((bytes, rank) => !isRight(bytes, rank))).toBe(-1)
})

// `mergeLong` depends on this.
test.each(VOCABULARIES)(
  'no token of %s is merged from a token of higher rank',
  (_, entries) => {
    const table = new TokenTable(entries)
    const wrong = [...tokensIn(entries)].filter((bytes, rank) => {
      const ranks = ranksOnTheWay(table, bytes)
      return bytes.length > 1 && (ranks.at(-1) !== rank || Math.max(...ranks) !== rank)
    })
    expect(wrong).toEqual([])
  },
  60_000,
)

test.each(VOCABULARIES)('long pieces of %s are merged into the same tokens as short ones', (_, entries) => {
  const table = new TokenTable(entries)
  const pattern = fc
    .tuple(fc.string({ unit: fc.constantFrom('a', 'b', 'e', 'n', 't', ' ', 'é'), maxLength: 6 }), fc.nat(60))
    .map(([unit, count]) => unit.repeat(count))
  fc.assert(
    fc.property(fc.oneof(anyText, pattern), (text) => {
      const bytes = Buffer.from(text).subarray(0, MAX_SHORT_BYTES)
      const piece = { start: 0, end: bytes.length, hash: 0 }
      fc.pre(bytes.length > 0)
      const tokens = bytes.length - ranksOnTheWay(table, bytes).length
      expect(mergeShort(table, bytes, piece)).toBe(tokens)
      expect(mergeLong(table, bytes, piece)).toBe(tokens)
    }),
    { numRuns: effort({ short: 200, long: 1000 }) },
  )
})
