// Parsing Markdown, links and image addresses, without a browser.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { placeOfPicture } from '../../web/src/features/markdown/place-of-picture.ts'
import { decodeEntities, readMarkdown, safeAddress } from '../../web/src/features/markdown/read-markdown.ts'

const inlineTypes = (text: string): readonly string[] =>
  readMarkdown(text).flatMap((token) =>
    'tokens' in token ? (token.tokens ?? []).map(({ type }: { type: string }) => type) : [token.type],
  )

test('dollar signs mark formulas or money', () => {
  expect(inlineTypes('It is $x^2$ here.')).toContain('math')
  expect(inlineTypes('\\(a+b\\) it is')).toContain('math')
  expect(readMarkdown('$$\n\\sum x\n$$\n')[0]?.type).toBe('math')
  expect(inlineTypes('It costs $5 and then $10 more.')).not.toContain('math')
  expect(inlineTypes('From $ 5 to $ 6.')).not.toContain('math')
})

test('only http, https and mailto become links', () => {
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

test('no input produces a link other than http, https or mailto', () => {
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

test('any text can be parsed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(() => readMarkdown(text)).not.toThrow()
      expect(typeof decodeEntities(text)).toBe('string')
    }),
  )
})

test('an image is embedded, on this server, on another server, or not loadable', () => {
  const origin = 'http://127.0.0.1:4747'
  const kindOf = (address: string) => placeOfPicture(address, origin).kind
  expect(kindOf('data:image/png;base64,iVBORw0KGgo=')).toBe('own')
  expect(kindOf('/favicon.svg')).toBe('own')
  expect(kindOf('http://127.0.0.1:4747/favicon.svg')).toBe('own')
  expect(kindOf('https://spy.example/pixel.png')).toBe('elsewhere')
  expect(kindOf('http://127.0.0.1:4748/favicon.svg')).toBe('elsewhere')
  expect(kindOf('/\t/spy.example/a.png')).toBe('elsewhere')
  for (const address of ['//spy.example/a.png', '/\\spy.example/a.png', '\\\\spy.example/a.png', 'a.png'])
    expect(kindOf(address), address).toBe('nowhere')
  for (const address of [
    'data:image/svg+xml;base64,PHN2Zz4=',
    'javascript:alert(1)',
    'mailto:a@b.c',
    '',
    '/\t\\',
  ])
    expect(kindOf(address), address).toBe('nowhere')
})

test('no input makes an image load from another server', () => {
  const origin = 'http://127.0.0.1:4747'
  const odd = fc.stringMatching(/^[/\\.:@?#a-z\t ]{0,12}$/)
  fc.assert(
    fc.property(fc.oneof(fc.webUrl(), fc.string(), odd), (written) => {
      const place = placeOfPicture(written, origin)
      if (place.kind === 'own' && !place.address.startsWith('data:'))
        expect(new URL(place.address).origin).toBe(origin)
    }),
  )
})
