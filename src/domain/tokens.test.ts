import { expect, test } from 'vitest'
import { countMessageTokens, countToolsTokens } from './tokens.ts'

const count = (text: string) => text.split(' ').filter(Boolean).length

test("a message costs its text and the provider's wrapping", () => {
  expect(countMessageTokens(count, { content: 'one two three' })).toBe(6)
})

test('a name costs its text and one token', () => {
  expect(countMessageTokens(count, { content: 'one', name: 'Ana' })).toBe(6)
})

test('a tool call costs its id, its name, its arguments and their wrapping', () => {
  const content = [{ type: 'tool-call', toolCallId: 'a', toolName: 'look_up', input: { q: 'tea' } }] as const
  expect(countMessageTokens(count, { content })).toBe(3 + 8 + 3)
})

test.each([
  [{ detail: 'low' }, 85],
  [{ width: 512, height: 512 }, 85 + 170],
  [{ width: 1024, height: 1024 }, 85 + 4 * 170],
  [{ width: 4096, height: 8192 }, 85 + 6 * 170],
  [{}, 85 + 8 * 170],
  [{ tokens: 7 }, 7],
] as const)('an image of %o costs %i tokens', (size, tokens) => {
  expect(
    countMessageTokens(count, { content: [{ type: 'image', url: 'https://example.org/a.png', ...size }] }),
  ).toBe(3 + tokens)
})

test('the definitions of tools count', () => {
  expect(countToolsTokens(count, [{ name: 'a' }, { name: 'b' }])).toBe(18)
})
