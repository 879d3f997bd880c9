// Pages that are rendered on a server, where there is no window, no storage and nobody to wait.

import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ChatSidebar, RecollectProvider, usePageContext } from '../../src/adapters/react/index.ts'

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

test('in server-side rendering, a page has no state and no unsaved changes', () => {
  const html = renderToString(createElement(Page))
  expect(html.replaceAll('&quot;', '"')).toBe('{"isLoaded":false,"isSaved":true,"isFailed":false}')
})
