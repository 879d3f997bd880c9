// The topics page.

import { expect, test } from 'vitest'
import type { Memory, OpenOptions } from '../../src/index.ts'
import { withTuning } from '../../src/options/resolve-options.ts'
import { findBarriers, openApp, say, seeSaid } from '../support/web-app.ts'

const DAY_MS = 86_400_000

const MESSAGES = [
  [20, 'Which tomatoes grow well on a balcony that faces north? I grow tomatoes and basil.'],
  [20, 'And how often do tomatoes on a balcony need water?'],
  [9, 'How do I group expenses by day in a SQL query of PostgreSQL?'],
  [9, 'And how do I sort the groups of the SQL query by their sum in PostgreSQL?'],
  [1, 'Which tram goes from the hotel in Lisbon to the museum in Belém?'],
] as const

async function recordTopics(memory: Memory): Promise<void> {
  const now = Date.now()
  const messages = MESSAGES.map(([daysAgo, content], i) => ({
    id: `said-${i}`,
    role: 'user' as const,
    content,
    createdAt: new Date(now - daysAgo * DAY_MS + i * 60_000),
  }))
  await memory.conversation('mixed').getOrCreate({ title: 'This and that' })
  await memory.conversation('mixed').record(messages)
}

async function openTopics(options: OpenOptions = {}) {
  const app = await openApp(options)
  await recordTopics(app.memory)
  await app.go('/c/mixed/topics')
  await app.page.locator('.topic').first().waitFor()
  const topics = () => app.memory.conversation('mixed').topics.list().toArray()
  const card = (words: string) => app.page.locator('.topic', { hasText: words })
  const choose = async (words: string, action: string) => {
    await card(words).getByRole('button', { name: 'Actions for' }).click()
    await app.page.getByRole('menuitem', { name: action }).click()
  }
  return { ...app, topics, card, choose }
}

test('topics show their figures and curves, including the forecast', async () => {
  const { page, topics } = await openTopics()
  const known = await topics()
  expect(await page.locator('.topic').count()).toBe(known.length)
  expect(known.length).toBeGreaterThan(1)
  await expect
    .poll(() => page.locator('.curve path:not(.curve-future)').first().getAttribute('d'))
    .toMatch(/^M.*L/)
  await expect.poll(() => page.locator('.curve .curve-future').first().getAttribute('d')).toMatch(/^M.*L/)
  await page.getByText('current').waitFor()
  expect(await page.locator('.topic').first().textContent()).toMatch(/half-life \d+ day/)
  await page.getByRole('radio', { name: 'Year' }).click()
  await expect.poll(() => page.locator('.curve .curve-future').first().getAttribute('d')).toMatch(/^M.*L/)
  expect(await findBarriers(page)).toEqual([])
})

test('renaming, pinning and tagging a topic survives a reload', async () => {
  const { page, card, choose, topics } = await openTopics()
  await choose('tomatoes', 'Rename')
  await page.getByLabel('Title', { exact: true }).fill('Balcony garden')
  await page.getByRole('button', { name: 'Rename' }).click()
  await card('Balcony garden').waitFor()
  await choose('Balcony garden', 'Pin')
  await card('Balcony garden').getByText('pinned').waitFor()
  await choose('Balcony garden', 'Tags')
  await page.getByLabel('Tags, separated by commas').fill('home, green')
  await page.getByRole('button', { name: 'Save' }).click()
  await card('Balcony garden').getByText('green').waitFor()
  await expect
    .poll(async () => (await topics()).find(({ title }) => title === 'Balcony garden'))
    .toMatchObject({ isPinned: true, tags: ['home', 'green'] })
  await page.reload()
  await card('Balcony garden').getByText('pinned').waitFor()
})

test('two topics are merged', async () => {
  const { page, choose, topics } = await openTopics()
  const before = (await topics()).length
  await choose('tomatoes', 'Merge into another topic')
  await page.getByRole('button', { name: 'Merge' }).click()
  await expect.poll(() => page.locator('.topic').count()).toBe(before - 1)
  await expect.poll(async () => (await topics()).length).toBe(before - 1)
})

test('a message is split into a new topic, and links to its place in the chat', async () => {
  const { page, card, topics } = await openTopics()
  const before = (await topics()).length
  const sql = card('SQL query')
  await sql.getByRole('button', { name: /^Show \d+ message/ }).click()
  await sql.getByRole('checkbox', { name: 'Select message 4' }).check()
  await sql.getByRole('button', { name: 'Split into new topic' }).click()
  await expect.poll(() => page.locator('.topic').count()).toBe(before + 1)
  await card('SQL query').getByRole('button', { name: 'Show 1 message' }).click()
  await page.getByRole('link', { name: /sort the groups/ }).click()
  await page.locator('.message', { hasText: 'sort the groups' }).waitFor()
  expect(new URL(page.url()).hash).toBe('#m-said-3')
})

test('a rejected change shows an error and the state of the server', async () => {
  const { page, card, choose } = await openTopics()
  await page.route('**/topics/*', (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({
          status: 409,
          json: { error: { code: 'conflict', message: 'changed by another request', requestId: '1' } },
        })
      : route.continue(),
  )
  await choose('tomatoes', 'Pin')
  await page.getByText('changed by another request').waitFor()
  await expect.poll(() => card('tomatoes').getByText('pinned').count()).toBe(0)
})

test('an archived topic is restored to full strength, and that is undone', async () => {
  const { page, card, topics } = await openTopics(withTuning({}, { topics: { maxActive: 1 } }))
  const state = async () => (await topics()).find(({ id }) => id === 'said-0')
  await page.getByRole('heading', { name: /archived/ }).waitFor()
  expect((await state())?.state).toBe('archived')
  await card('tomatoes').getByRole('button', { name: 'Restore', exact: true }).click()
  await card('tomatoes').getByText('1.00').waitFor()
  await expect.poll(state).toMatchObject({ state: 'live', isPinned: false, accessCount: 3 })
  await page.getByText('Restored “').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await card('tomatoes').getByRole('button', { name: 'Restore', exact: true }).waitFor()
  await expect.poll(state).toMatchObject({ state: 'archived', accessCount: 2 })
})

test('returning to an old topic restores it, and the answer uses what was said', async () => {
  const { page, go, card, topics } = await openTopics()
  const before = await card('tomatoes').locator('.strength-figure').textContent()
  expect(Number(before?.slice(-4))).toBeLessThan(0.1)
  await go('/c/mixed')
  await say(page, 'How often do the tomatoes on the balcony that faces north need water?')
  await seeSaid(page, 'Which tomatoes grow well on a balcony that faces north?')
  await page.getByRole('link', { name: 'Topics' }).click()
  await card('tomatoes').getByText('current').waitFor()
  await card('tomatoes').getByText('1.00').waitFor()
  expect((await topics())[0]).toMatchObject({ id: 'said-0', state: 'current' })
  // The curve falls and is back at the top.
  const path = await page.locator('.curve path:not(.curve-future)').first().getAttribute('d')
  expect(path).toMatch(/^M/)
})

test('no label on the time axis appears twice, however short the range is', async () => {
  const { page, go, memory } = await openApp()
  await memory.conversation('new').record({ role: 'user', content: 'Which tomatoes grow on a balcony?' })
  await go('/c/new/topics')
  await page.locator('.curves svg').waitFor()
  const names = await page.locator('.curves-label:not(.curves-now-label)').allTextContents()
  expect(new Set(names).size).toBe(names.length)
  expect(names.length).toBeGreaterThan(3)
})
