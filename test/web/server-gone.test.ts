// The server process stops and starts again at the same address.

import { expect, onTestFinished, test } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { spawnServer } from '../support/server-process.ts'
import { say, seeSaid } from '../support/web-app.ts'

test('the app waits for a restarted server, and nothing is lost', async () => {
  const first = await spawnServer()
  const { port } = new URL(first.url)
  const { open, problems } = await openBrowser({ viewport: { width: 1280, height: 800 } })
  const page = await open(first.url)
  onTestFinished(() => expect(problems).toEqual([]))
  await say(page, 'I am vegetarian, and we are in Lisbon in May.')
  await seeSaid(page, 'From memory')
  await first.end('SIGKILL')
  await say(page, 'Are you there?')
  await page.getByText('Can’t reach the server.').waitFor()
  await page.getByText('Not sent.').waitFor()
  // Messages loaded before stay visible.
  await seeSaid(page, 'I am vegetarian')
  const second = await spawnServer({ path: first.path, env: { PORT: port } })
  expect(second.url).toBe(first.url)
  await page.getByText('Can’t reach the server.').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => page.getByText('Not sent.').count(), { timeout: 30_000 }).toBe(0)
  const counts = async () => {
    const { body } = await second.ask('GET', '/api/conversations')
    return body.conversations.map(({ messageCount }: { messageCount: number }) => messageCount)
  }
  await expect.poll(counts, { timeout: 30_000 }).toEqual([4])
})

test('a page opened while the server is down loads when it is back', async () => {
  const first = await spawnServer()
  const { port } = new URL(first.url)
  const { open } = await openBrowser({ viewport: { width: 1280, height: 800 } })
  const page = await open(first.url)
  await say(page, 'The locker has the number 7741.')
  await seeSaid(page, 'From memory')
  await first.end('SIGTERM')
  await page.getByRole('link', { name: 'Analytics' }).click()
  await page.getByText('Can’t reach the server.').waitFor()
  await spawnServer({ path: first.path, env: { PORT: port } })
  await page.getByText('Can’t reach the server.').waitFor({ state: 'detached' })
  await page.locator('.tile', { hasText: 'Messages' }).waitFor()
  await page.locator('.chat-row').first().getByRole('link').click()
  await seeSaid(page, 'The locker has the number 7741.')
})
