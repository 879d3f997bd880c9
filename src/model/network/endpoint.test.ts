import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toEndpoint, withoutSecrets } from './endpoint.ts'

const settings = (url: string, key = '') => ({ url, key, option: 'models.chat' })

test('a URL without a path gets the usual one; others keep theirs', () => {
  expect(toEndpoint(settings('http://localhost:11434'), '/v1').baseUrl).toBe('http://localhost:11434/v1')
  expect(toEndpoint(settings('https://host/api/v2/'), '/v1').baseUrl).toBe('https://host/api/v2')
})

test('a key becomes a header, and so do a name and a password in the URL', () => {
  expect(toEndpoint(settings('http://host', ' sk-1 '), '').headers).toEqual({ authorization: 'Bearer sk-1' })
  const { baseUrl, headers, secrets } = toEndpoint(settings('http://ann:p%40ss%25@host/v1'), '')
  expect(baseUrl).toBe('http://host/v1')
  expect(headers).toEqual({ authorization: `Basic ${Buffer.from('ann:p@ss%').toString('base64')}` })
  expect(secrets).toContain('p@ss%')
})

test('a query is kept for the calls, and its long values are secret', () => {
  const { baseUrl, query, secrets } = toEndpoint(
    settings('http://host/v1?api-version=1&token=0123456789'),
    '',
  )
  expect(baseUrl).toBe('http://host/v1')
  expect(query).toEqual({ 'api-version': '1', token: '0123456789' })
  expect(secrets).toEqual(['0123456789'])
})

test.each(['localhost:11434', 'ftp://host', 'not an address', 'http://'])('"%s" is rejected', (url) => {
  expect(() => toEndpoint(settings(url), '/v1')).toThrow('"models.chat.url" is not an http or https address')
})

test('errors do not show the given value', () => {
  for (const [url, key] of [
    ['nohttp://ann:secret@host', ''],
    ['http://host', 'secret\nkey'],
    ['http://host', 'secrét'],
  ] as const) {
    try {
      toEndpoint(settings(url, key), '/v1')
      expect.unreachable()
    } catch (error) {
      expect(String(error)).not.toContain('secr')
    }
  }
})

test.each([
  'sk-proj-abcdef0123456789',
  'gsk_abcdefghijklmnop',
  'AIzaSyA0123456789abcdefghij',
  'Bearer abcdefgh1234',
])('%s looks like a key, and is hidden even if it is not configured as one', (key) => {
  const shown = withoutSecrets(`Incorrect API key provided: ${key}.`, [])
  expect(shown).toContain('[secret]')
  expect(shown).not.toContain('abcdef')
})

test('words that only resemble keys are shown', () => {
  const text = 'ask-me about key-value stores, risk-taking and Bearer tokens'
  expect(withoutSecrets(text, [])).toBe(text)
})

test('no secret is left in a text', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 6 }), fc.string(), fc.string(), (secret, before, after) => {
      fc.pre(!'[secret]'.includes(secret))
      const shown = withoutSecrets(before + secret + after, [secret])
      expect(shown.replaceAll('[secret]', '')).not.toContain(secret)
    }),
  )
})
