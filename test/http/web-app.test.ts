// The built web app, as the server hands it out.

import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { serveTemporary } from '../support/http-server.ts'

test('every URL of the app serves the same page, revalidated and with a strict policy', async () => {
  const { ask } = await serveTemporary()
  const home = await ask('GET', '/')
  for (const path of [
    '/c/some%20chat',
    '/c/trip/topics',
    '/memory',
    '/memory/entities',
    '/known',
    '/settings',
  ]) {
    const { status, text } = await ask('GET', path)
    expect([path, status, text]).toEqual([path, 200, home.text])
  }
  const policy = home.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self'")
  expect(policy).toContain("style-src 'self'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toContain('unsafe')
  expect(home.headers.get('cache-control')).toBe('no-cache')
  expect(home.headers.get('x-content-type-options')).toBe('nosniff')
  expect(home.text).not.toMatch(/<script>|style=|<style|https?:\/\//)
})

test('files with a digest in their name are immutable and precompressed', async () => {
  const { ask, server } = await serveTemporary()
  const { text } = await ask('GET', '/')
  const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(text) ?? []
  const plain = await ask('GET', script, { headers: { 'accept-encoding': 'identity' } })
  expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(plain.headers.get('content-type')).toContain('text/javascript')
  const { get } = await import('node:http')
  const packed = await new Promise<{ encoding: string | undefined; body: Buffer }>((resolve, reject) => {
    const request = get(server.url + script, { headers: { 'accept-encoding': 'gzip, br' } }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('end', () =>
        resolve({ encoding: response.headers['content-encoding'], body: Buffer.concat(pieces) }),
      )
    })
    request.on('error', reject)
  })
  expect(packed.encoding).toBe('br')
  expect(brotliDecompressSync(packed.body).toString()).toBe(plain.text)
})

test('an unchanged file is 304', async () => {
  const { ask } = await serveTemporary()
  const first = await ask('GET', '/theme.js')
  const again = await ask('GET', '/theme.js', {
    headers: { 'if-none-match': first.headers.get('etag') ?? '' },
  })
  expect([again.status, again.text]).toEqual([304, ''])
})

test('files outside the app are not found, however the path is written', async () => {
  const { ask } = await serveTemporary()
  for (const path of ['/nowhere', '/assets/missing.js', '/assets/..%2f..%2fpackage.json', '/index.html.br'])
    expect([path, (await ask('GET', path)).status]).toEqual([path, 404])
  expect((await ask('POST', '/')).status).toBe(405)
})
