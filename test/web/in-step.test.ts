// Two browsers, not two tabs: nothing is shared but the server, which tells each what the other changed.

import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { serveTemporary } from '../support/http-server.ts'
import { chooseFor, say, seeSaid } from '../support/web-app.ts'

/** Before the list is read again by itself. */
const TOLD_MS = 15_000
const SKIP_TOUR = "if (location.protocol !== 'about:') localStorage.setItem('recollect.tour', 'left')"

async function openBoth() {
  const served = await serveTemporary()
  const pages: Page[] = []
  for (let i = 0; i < 2; i++) {
    const { context, open, problems } = await openBrowser({ viewport: { width: 1280, height: 800 } })
    onTestFinished(() => expect(problems).toEqual([]))
    await context.addInitScript(SKIP_TOUR)
    pages.push(await open(served.server.url))
  }
  const [mine, theirs] = pages as [Page, Page]
  return { ...served, mine, theirs }
}

const rowOf = (page: Page, title: string) => page.locator('.chat-row', { hasText: title })

async function seeSoon(page: Page, text: string): Promise<void> {
  await page.locator('.message', { hasText: text }).last().waitFor({ timeout: TOLD_MS })
}

test('what is said in one browser is seen in the other, and what a program records in both', async () => {
  const { mine, theirs, memory } = await openBoth()
  await say(mine, 'We are in Lisbon in May.')
  await seeSaid(mine, 'From memory')
  await theirs.locator('.chat-row').first().waitFor({ timeout: TOLD_MS })
  await theirs.locator('.chat-row').first().getByRole('link').click()
  await seeSaid(theirs, 'We are in Lisbon in May.')
  await say(mine, 'The train leaves at ten.')
  await seeSoon(theirs, 'The train leaves at ten.')
  await say(theirs, 'And it comes back at six.')
  await seeSoon(mine, 'And it comes back at six.')
  const [conversation] = (await memory.conversations.list()).items
  await memory
    .conversation(conversation?.id ?? '')
    .record({ role: 'assistant', content: 'The tickets are bought.' })
  for (const page of [mine, theirs]) await seeSoon(page, 'The tickets are bought.')
})

test('a chat that is renamed or deleted in one browser is so in the other', async () => {
  const { mine, theirs, memory } = await openBoth()
  await memory.conversations.getOrCreate({ id: 'trip', title: 'A week in Lisbon' })
  await memory.conversation('trip').record({ role: 'user', content: 'We are in Lisbon in May.' })
  for (const page of [mine, theirs]) await rowOf(page, 'A week in Lisbon').waitFor({ timeout: TOLD_MS })
  await rowOf(theirs, 'A week in Lisbon').getByRole('link').click()
  await seeSaid(theirs, 'We are in Lisbon in May.')
  await chooseFor(mine, 'A week in Lisbon', 'Rename …')
  await mine.getByRole('textbox', { name: 'Title' }).fill('Ten days in Porto')
  await mine.getByRole('button', { name: 'Rename' }).click()
  await rowOf(theirs, 'Ten days in Porto').waitFor({ timeout: TOLD_MS })
  await chooseFor(mine, 'Ten days in Porto', 'Delete')
  await rowOf(theirs, 'Ten days in Porto').waitFor({ state: 'detached', timeout: 2 * TOLD_MS })
  // Its words as well, though the page was looking at them.
  await theirs.locator('.message').first().waitFor({ state: 'detached', timeout: TOLD_MS })
})

test('words that are erased go from a page that looks at them', async () => {
  const { mine, memory } = await openBoth()
  await memory.conversations.getOrCreate({ id: 'trip', title: 'A week in Lisbon' })
  const [secret] = await memory.conversation('trip').record([
    { role: 'user', content: 'My code is 4711.' },
    { role: 'user', content: 'We eat at eight.' },
  ])
  await rowOf(mine, 'A week in Lisbon').getByRole('link').click()
  await seeSaid(mine, 'My code is 4711.')
  await memory.messages.erase(secret?.id ?? '')
  await seeSoon(mine, 'Erased. Its words are gone.')
  expect(await mine.locator('.message', { hasText: '4711' }).count()).toBe(0)
  await seeSaid(mine, 'We eat at eight.')
})

const show = (page: Page, state: 'hidden' | 'visible') =>
  page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  `)

test('a page that is out of sight follows nothing, and begins again when it is seen', async () => {
  const { mine, memory } = await openBoth()
  const begun: string[] = []
  const ended: string[] = []
  mine.on('request', (request) => begun.push(new URL(request.url()).pathname))
  mine.on('requestfailed', (request) => ended.push(new URL(request.url()).pathname))
  await memory.conversations.getOrCreate({ id: 'first', title: 'A week in Lisbon' })
  await rowOf(mine, 'A week in Lisbon').waitFor({ timeout: TOLD_MS })
  await show(mine, 'hidden')
  await expect.poll(() => ended).toEqual(['/api/events'])
  expect(begun).not.toContain('/api/events')
  await show(mine, 'visible')
  await expect.poll(() => begun).toContain('/api/events')
  await memory.conversations.getOrCreate({ id: 'second', title: 'Ten days in Porto' })
  await rowOf(mine, 'Ten days in Porto').waitFor({ timeout: TOLD_MS })
})
