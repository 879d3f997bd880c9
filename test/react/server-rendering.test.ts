// Pages that are rendered on a server, where there is no window, no storage and nobody to wait.

import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ChatSidebar, RecollectProvider, usePageContext } from '../../src/adapters/react/index.ts'

function Page() {
  const { context, isSaved, error } = usePageContext('sales')
  return JSON.stringify({ isLoaded: context !== undefined, isSaved, isFailed: error !== undefined })
}

test('the sidebar renders as it is before anything was loaded, and asks nobody', () => {
  const fetch = () => {
    throw new TypeError('a request while rendering')
  }
  const sidebar = createElement(ChatSidebar, { conversationId: 'trip', labels: { title: 'Reise' } })
  const html = renderToString(createElement(RecollectProvider, { fetch }, sidebar))
  expect(html).toContain('aria-label="Reise"')
  expect(html).toContain('data-status="loading"')
  expect(html).toContain('Loading …')
})

test('the state of a page is not there yet, and nothing is unsaved', () => {
  const html = renderToString(createElement(Page))
  expect(html.replaceAll('&quot;', '"')).toBe('{"isLoaded":false,"isSaved":true,"isFailed":false}')
})
