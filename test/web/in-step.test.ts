// Two browsers that share only the server, which notifies each of changes made by the other.

import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { serveTemporary } from '../support/http-server.ts'
import { chooseFor, say, seeSaid } from '../support/web-app.ts'

/** Shorter than the polling interval of the list. */
const NOTIFIED_MS = 15_000
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
  await page.locator('.message', { hasText: text }).last().waitFor({ timeout: NOTIFIED_MS })
}

test('a message from one browser appears in the other, and one from a program in both', async () => {
  const { mine, theirs, memory } = await openBoth()
  await say(mine, 'We are in Lisbon in May.')
  await seeSaid(mine, 'From memory')
  await theirs.locator('.chat-row').first().waitFor({ timeout: NOTIFIED_MS })
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

test('renaming or deleting a chat in one browser updates the other', async () => {
  const { mine, theirs, memory } = await openBoth()
  await memory.conversations.getOrCreate({ id: 'trip', title: 'A week in Lisbon' })
  await memory.conversation('trip').record({ role: 'user', content: 'We are in Lisbon in May.' })
  for (const page of [mine, theirs]) await rowOf(page, 'A week in Lisbon').waitFor({ timeout: NOTIFIED_MS })
  await rowOf(theirs, 'A week in Lisbon').getByRole('link').click()
  await seeSaid(theirs, 'We are in Lisbon in May.')
  await chooseFor(mine, 'A week in Lisbon', 'Rename…')
  await mine.getByRole('textbox', { name: 'Title' }).fill('Ten days in Porto')
  await mine.getByRole('button', { name: 'Rename' }).click()
  await rowOf(theirs, 'Ten days in Porto').waitFor({ timeout: NOTIFIED_MS })
  await chooseFor(mine, 'Ten days in Porto', 'Delete')
  await rowOf(theirs, 'Ten days in Porto').waitFor({ state: 'detached', timeout: 2 * NOTIFIED_MS })
  // Its messages disappear too, although the page was showing them.
  await theirs.locator('.message').first().waitFor({ state: 'detached', timeout: NOTIFIED_MS })
})

test('an erased message disappears from a page that shows it', async () => {
  const { mine, memory } = await openBoth()
  await memory.conversations.getOrCreate({ id: 'trip', title: 'A week in Lisbon' })
  const [secret] = await memory.conversation('trip').record([
    { role: 'user', content: 'My code is 4711.' },
    { role: 'user', content: 'We eat at eight.' },
  ])
  await rowOf(mine, 'A week in Lisbon').getByRole('link').click()
  await seeSaid(mine, 'My code is 4711.')
  await memory.messages.erase(secret?.id ?? '')
  await seeSoon(mine, 'This message was erased.')
  expect(await mine.locator('.message', { hasText: '4711' }).count()).toBe(0)
  await seeSaid(mine, 'We eat at eight.')
})

const show = (page: Page, state: 'hidden' | 'visible') =>
  page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  `)

test('a hidden page stops following changes and resumes when it is visible', async () => {
  const { mine, memory } = await openBoth()
  const started: string[] = []
  const ended: string[] = []
  mine.on('request', (request) => started.push(new URL(request.url()).pathname))
  mine.on('requestfailed', (request) => ended.push(new URL(request.url()).pathname))
  await memory.conversations.getOrCreate({ id: 'first', title: 'A week in Lisbon' })
  await rowOf(mine, 'A week in Lisbon').waitFor({ timeout: NOTIFIED_MS })
  await show(mine, 'hidden')
  await expect.poll(() => ended).toEqual(['/api/events'])
  expect(started).not.toContain('/api/events')
  await show(mine, 'visible')
  await expect.poll(() => started).toContain('/api/events')
  await memory.conversations.getOrCreate({ id: 'second', title: 'Ten days in Porto' })
  await rowOf(mine, 'Ten days in Porto').waitFor({ timeout: NOTIFIED_MS })
})
