import { createHash } from 'node:crypto'
import { docsPage, htmlPage, STYLE } from './docs-page.ts'
import type { ApiDocument } from './openapi.ts'

export interface Page {
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
}

/** Pages served next to the routes, by path. */
export function pagesOf(document: ApiDocument): Readonly<Record<string, Page>> {
  return {
    '/': html(homePage()),
    '/docs': html(docsPage(document)),
    '/openapi.json': { text: JSON.stringify(document), headers: { 'content-type': 'application/json' } },
  }
}

/**
 * Content security policy: nothing may run or load except the page's inline style, identified by its digest.
 */
const STYLE_DIGEST = createHash('sha256').update(STYLE).digest('base64')
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_DIGEST}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

const html = (text: string): Page => ({
  text,
  headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY },
})

const homePage = (): string =>
  htmlPage(
    'Recollect',
    `<h1>Recollect</h1>
<p>Memory for LLM chats. The server is running; its web app is not built.</p>
<ul>
<li><a href="/docs">The HTTP API</a>, and its <a href="/openapi.json">OpenAPI document</a></li>
<li><a href="/api/health">Health</a> and <a href="/metrics">figures for Prometheus</a></li>
</ul>`,
  )
