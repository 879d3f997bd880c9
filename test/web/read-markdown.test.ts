// What is made of a text, without a browser.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeEntities, readMarkdown, safeAddress } from '../../web/src/features/markdown/read-markdown.ts'

const inlineTypes = (text: string): readonly string[] =>
  readMarkdown(text).flatMap((token) =>
    'tokens' in token ? (token.tokens ?? []).map(({ type }: { type: string }) => type) : [token.type],
  )

test('dollars are formulas where they enclose one, and money where they do not', () => {
  expect(inlineTypes('It is $x^2$ here.')).toContain('math')
  expect(inlineTypes('\\(a+b\\) it is')).toContain('math')
  expect(readMarkdown('$$\n\\sum x\n$$\n')[0]?.type).toBe('math')
  expect(inlineTypes('It costs $5 and then $10 more.')).not.toContain('math')
  expect(inlineTypes('From $ 5 to $ 6.')).not.toContain('math')
})

test('only addresses of the web and of letters are links, however they are written', () => {
  expect(safeAddress('https://example.com/a?b=c')).toBe('https://example.com/a?b=c')
  expect(safeAddress('mailto:ana@example.com')).toBe('mailto:ana@example.com')
  for (const evil of [
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    '&#106;avascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    '//host',
    '/api/keys',
    'blob:x',
  ])
    expect(safeAddress(evil), evil).toBeUndefined()
})

test('whatever an address is, what is let through begins with the web or a letter', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.webUrl(),
        fc.string().map((rest) => `javascript:${rest}`),
      ),
      (text) => {
        const address = safeAddress(text)
        if (address !== undefined) expect(address).toMatch(/^(?:https?:\/\/|mailto:)/i)
      },
    ),
  )
})

test('any text is read, and none is lost', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(() => readMarkdown(text)).not.toThrow()
      expect(typeof decodeEntities(text)).toBe('string')
    }),
  )
})
