// The server itself goes, and comes back at the same address.

import { expect, onTestFinished, test } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { spawnServer } from '../support/server-process.ts'
import { say, seeSaid } from '../support/web-app.ts'

test('a server that is ended and started again is waited for, and nothing is lost', async () => {
  const first = await spawnServer()
  const { port } = new URL(first.url)
  const { open, problems } = await openBrowser({ viewport: { width: 1280, height: 800 } })
  const page = await open(first.url)
  onTestFinished(() => expect(problems).toEqual([]))
  await say(page, 'I am vegetarian, and we are in Lisbon in May.')
  await seeSaid(page, 'From memory')
  await first.end('SIGKILL')
  await say(page, 'Are you there?')
  await page.getByText('The server cannot be reached.').waitFor()
  await page.getByText('Not sent.').waitFor()
  // What was read before stays in sight.
  await seeSaid(page, 'I am vegetarian')
  const second = await spawnServer({ path: first.path, env: { PORT: port } })
  expect(second.url).toBe(first.url)
  await page.getByText('The server cannot be reached.').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => page.getByText('Not sent.').count(), { timeout: 30_000 }).toBe(0)
  const counts = async () => {
    const { body } = await second.ask('GET', '/api/conversations')
    return body.conversations.map(({ messageCount }: { messageCount: number }) => messageCount)
  }
  await expect.poll(counts, { timeout: 30_000 }).toEqual([4])
})

test('a page that is opened again after the server came back shows what was there', async () => {
  const first = await spawnServer()
  const { port } = new URL(first.url)
  const { open } = await openBrowser({ viewport: { width: 1280, height: 800 } })
  const page = await open(first.url)
  await say(page, 'The locker has the number 7741.')
  await seeSaid(page, 'From memory')
  await first.end('SIGTERM')
  await page.getByRole('link', { name: 'Analytics' }).click()
  await page.getByText('The server cannot be reached.').waitFor()
  await spawnServer({ path: first.path, env: { PORT: port } })
  await page.getByText('The server cannot be reached.').waitFor({ state: 'detached' })
  await page.locator('.tile', { hasText: 'Messages' }).waitFor()
  await page.locator('.chat-row').first().getByRole('link').click()
  await seeSaid(page, 'The locker has the number 7741.')
})
