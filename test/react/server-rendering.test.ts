// Pages that are rendered on a server, where there is no window, no storage and nobody to wait.

import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  ChatSidebar,
  createClient,
  RecollectProvider,
  usePageContext,
} from '../../src/adapters/react/index.ts'
import { cacheOf } from '../../src/adapters/react/live/live.ts'
import type { LivePage } from '../../src/adapters/react/live/live-page.ts'
import { serveTemporary } from '../support/http-server.ts'

function Page() {
  const { context, isSaved, error } = usePageContext('sales')
  return JSON.stringify({ isLoaded: context !== undefined, isSaved, isFailed: error !== undefined })
}

test('server-side rendering shows the empty sidebar and sends no request', () => {
  const fetch = () => {
    throw new TypeError('a request while rendering')
  }
  const sidebar = createElement(ChatSidebar, { conversationId: 'trip', labels: { title: 'Reise' } })
  const html = renderToString(createElement(RecollectProvider, { fetch }, sidebar))
  expect(html).toContain('aria-label="Reise"')
  expect(html).toContain('data-status="loading"')
  expect(html).toContain('Loading …')
})

test('a page that is loaded begins as the server rendered it, so that it can be hydrated', async () => {
  const { memory, server } = await serveTemporary()
  await memory.page('sales').save({ currentTopic: 'Mills' })
  const client = createClient({ url: server.url })
  const render = () => renderToString(createElement(RecollectProvider, { client }, createElement(Page)))
  const before = render()
  const live = cacheOf(client).take<LivePage>('page sales', () => {
    throw new TypeError('the page is not shared')
  })
  const leave = live.subscribe(() => undefined)
  onTestFinished(leave)
  await vi.waitFor(() => expect(live.get()).toMatchObject({ context: { currentTopic: 'Mills' } }))
  expect(render()).toBe(before)
})

test('in server-side rendering, a page has no state and no unsaved changes', () => {
  const html = renderToString(createElement(Page))
  expect(html.replaceAll('&quot;', '"')).toBe('{"isLoaded":false,"isSaved":true,"isFailed":false}')
})
