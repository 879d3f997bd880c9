import { expect, test } from 'vitest'
import { hashOf, NO_RANK, type Piece, parseTokens, TokenTable } from './token-table.ts'

const TOKENS = ['a', 'b', 'ab', 'abc', 'é', ' the']

function smallTable(): TokenTable {
  const lines = TOKENS.map((token, rank) => `${Buffer.from(token).toString('base64')} ${rank}\n`)
  return new TokenTable(parseTokens(Buffer.from(lines.join(''))))
}

function pieceOf(text: string): { bytes: Buffer; piece: Piece } {
  const bytes = Buffer.from(text)
  return { bytes, piece: { start: 0, end: bytes.length, hash: hashOf(bytes, 0, bytes.length) } }
}

function costIn(table: TokenTable, text: string): number {
  const { bytes, piece } = pieceOf(text)
  return table.costOf(bytes, piece)
}

function rememberIn(table: TokenTable, text: string, cost: number): void {
  const { bytes, piece } = pieceOf(text)
  table.remember(bytes, piece, cost)
}

function rankIn(table: TokenTable, text: string): number {
  const bytes = Buffer.from(text)
  return table.rankOf(bytes, 0, bytes.length)
}

test('a token costs one and has its rank; anything else is unknown', () => {
  const table = smallTable()
  expect(TOKENS.map((token) => costIn(table, token))).toEqual(TOKENS.map(() => 1))
  expect(TOKENS.map((token) => rankIn(table, token))).toEqual(TOKENS.map((_, rank) => rank))
  expect(costIn(table, 'ba')).toBe(0)
  expect(rankIn(table, 'ba')).toBe(NO_RANK)
  expect(rankIn(table, 'abca')).toBe(NO_RANK)
})

test('a cached piece has its cost and is still not a token', () => {
  const table = smallTable()
  rememberIn(table, 'abba', 3)
  expect(costIn(table, 'abba')).toBe(3)
  expect(rankIn(table, 'abba')).toBe(NO_RANK)
})

test('however many pieces are added, none gets a wrong cost and no token is lost', () => {
  const table = smallTable()
  const costOf = (i: number) => 1 + (i % 20)
  let known = 0
  for (let i = 0; i < 300_000; i++) {
    rememberIn(table, `piece ${i}`, costOf(i))
    const earlier = i - (i % 1000)
    const cost = costIn(table, `piece ${earlier}`)
    if (cost !== 0) known += 1
    if (cost !== 0 && cost !== costOf(earlier)) throw new Error(`piece ${earlier} costs ${cost}`)
  }
  expect(known).toBeGreaterThan(290_000)
  expect(TOKENS.map((token) => rankIn(table, token))).toEqual(TOKENS.map((_, rank) => rank))
})

test('pieces with colliding hashes are distinguished, and only some of them are cached', () => {
  const table = smallTable()
  const withHash = (i: number) => {
    const { bytes, piece } = pieceOf(`piece ${i}`)
    return { bytes, piece: { ...piece, hash: 4711 } }
  }
  for (let i = 0; i < 100; i++) {
    const { bytes, piece } = withHash(i)
    table.remember(bytes, piece, 1 + (i % 20))
  }
  const costs = Array.from({ length: 100 }, (_, i) => table.costOf(withHash(i).bytes, withHash(i).piece))
  expect(costs.slice(0, 32)).toEqual(Array.from({ length: 32 }, (_, i) => 1 + (i % 20)))
  expect(costs.slice(32)).toEqual(Array(68).fill(0))
})
