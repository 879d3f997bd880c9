// What a chat is about, and how long it stays in mind.

import { expect, test } from 'vitest'
import type { Memory } from '../../src/index.ts'
import { findBarriers, openApp } from '../support/web-app.ts'

const DAY_MS = 86_400_000

const SAID = [
  [20, 'Which tomatoes grow well on a balcony that faces north? I grow tomatoes and basil.'],
  [20, 'And how often do tomatoes on a balcony need water?'],
  [9, 'How do I group expenses by day in a SQL query of PostgreSQL?'],
  [9, 'And how do I sort the groups of the SQL query by their sum in PostgreSQL?'],
  [1, 'Which tram goes from the hotel in Lisbon to the museum in Belém?'],
] as const

async function recordTopics(memory: Memory): Promise<void> {
  const now = Date.now()
  const messages = SAID.map(([daysAgo, content], i) => ({
    id: `said-${i}`,
    role: 'user' as const,
    content,
    createdAt: new Date(now - daysAgo * DAY_MS + i * 60_000),
  }))
  await memory.conversation('mixed').create({ title: 'This and that' })
  await memory.conversation('mixed').record(messages)
}

async function openTopics() {
  const app = await openApp()
  await recordTopics(app.memory)
  await app.go('/c/mixed/topics')
  await app.page.locator('.topic').first().waitFor()
  const topics = () => app.memory.conversation('mixed').topics()
  const card = (words: string) => app.page.locator('.topic', { hasText: words })
  const choose = async (words: string, action: string) => {
    await card(words).getByRole('button', { name: 'What to do with' }).click()
    await app.page.getByRole('menuitem', { name: action }).click()
  }
  return { ...app, topics, card, choose }
}

test('topics stand with their figures, and their curves are drawn up to now and beyond', async () => {
  const { page, topics } = await openTopics()
  const known = await topics()
  expect(await page.locator('.topic').count()).toBe(known.length)
  expect(known.length).toBeGreaterThan(1)
  await expect
    .poll(() => page.locator('.curve path:not(.curve-future)').first().getAttribute('d'))
    .toMatch(/^M.*L/)
  await expect.poll(() => page.locator('.curve .curve-future').first().getAttribute('d')).toMatch(/^M.*L/)
  await page.getByText('spoken of now').waitFor()
  expect(await page.locator('.topic').first().textContent()).toMatch(/halves in \d+ day/)
  await page.getByRole('radio', { name: 'Year' }).click()
  await expect.poll(() => page.locator('.curve .curve-future').first().getAttribute('d')).toMatch(/^M.*L/)
  expect(await findBarriers(page)).toEqual([])
})

test('a topic is renamed, pinned and tagged, and that is there after a reload', async () => {
  const { page, card, choose, topics } = await openTopics()
  await choose('tomatoes', 'Rename')
  await page.getByLabel('Title', { exact: true }).fill('Balcony garden')
  await page.getByRole('button', { name: 'Rename' }).click()
  await card('Balcony garden').waitFor()
  await choose('Balcony garden', 'Pin')
  await card('Balcony garden').getByText('pinned').waitFor()
  await choose('Balcony garden', 'Tags')
  await page.getByLabel('Tags, with commas').fill('home, green')
  await page.getByRole('button', { name: 'Save' }).click()
  await card('Balcony garden').getByText('green').waitFor()
  await expect
    .poll(async () => (await topics()).find(({ title }) => title === 'Balcony garden'))
    .toMatchObject({ isPinned: true, tags: ['home', 'green'] })
  await page.reload()
  await card('Balcony garden').getByText('pinned').waitFor()
})

test('two topics become one', async () => {
  const { page, choose, topics } = await openTopics()
  const before = (await topics()).length
  await choose('tomatoes', 'Merge with another')
  await page.getByRole('button', { name: 'Merge' }).click()
  await expect.poll(() => page.locator('.topic').count()).toBe(before - 1)
  await expect.poll(async () => (await topics()).length).toBe(before - 1)
})

test('a message becomes a topic of its own, and leads to its place in the chat', async () => {
  const { page, card, topics } = await openTopics()
  const before = (await topics()).length
  const sql = card('group expenses')
  await sql.getByRole('button', { name: /^Show \d+ message/ }).click()
  await sql.getByRole('checkbox', { name: 'Choose message 4' }).check()
  await sql.getByRole('button', { name: 'A topic of their own' }).click()
  await expect.poll(() => page.locator('.topic').count()).toBe(before + 1)
  await card('sort the groups').first().getByRole('button', { name: 'Show 1 message' }).click()
  await page.getByRole('link', { name: /sort the groups/ }).click()
  await page.locator('.message', { hasText: 'sort the groups' }).waitFor()
  expect(new URL(page.url()).hash).toBe('#m-said-3')
})

test('what the server refuses is told, and what is shown is what it has', async () => {
  const { page, card, choose } = await openTopics()
  await page.route('**/topics/*', (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({
          status: 409,
          json: { error: { code: 'conflict', message: 'somebody was faster', requestId: '1' } },
        })
      : route.continue(),
  )
  await choose('tomatoes', 'Pin')
  await page.getByText('somebody was faster').waitFor()
  await expect.poll(() => card('tomatoes').getByText('pinned').count()).toBe(0)
})
