// The first run, without a model.

import { expect, test } from 'vitest'
import { composer, messages, openApp, say } from '../support/web-app.ts'

test('the first run offers a sample chat whose question is answered from memory, with reasons', async () => {
  const { page, go, memory } = await openApp()
  await go('/')
  await page.getByRole('heading', { name: 'Welcome to Recollect' }).waitFor()
  await page.getByText('No language model is connected').waitFor()
  await page.getByRole('button', { name: 'A sample chat' }).click()
  await page.getByRole('heading', { name: 'A week in Lisbon' }).waitFor()
  await expect.poll(() => composer(page).inputValue()).toContain('dinner near our hotel')
  await composer(page).press('Enter')
  await page.getByRole('button', { name: 'Why this answer' }).last().click()
  const why = page.getByRole('complementary', { name: 'Why this answer' })
  await why.getByText('The model received').waitFor()
  await why.getByText('Recent messages', { exact: true }).waitFor()
  const [conversation] = (await memory.conversations.list()).items
  expect(conversation?.messageCount).toBe(14)
})

test('a first message starts a chat that survives a reload', async () => {
  const { page, go } = await openApp()
  await go('/')
  await say(page, 'I am vegetarian, and we are in Lisbon in May.')
  await messages(page).nth(1).getByText('From memory').waitFor()
  await page.reload()
  await page.locator('.message-user', { hasText: 'I am vegetarian' }).waitFor()
  await page.locator('.chat-row').first().waitFor()
})

test('the tour does not come back after it is skipped', async () => {
  const { page, go } = await openApp({}, { isTourLeft: false })
  await go('/')
  const tour = page.getByRole('region', { name: 'Tour' })
  await tour.getByRole('button', { name: 'Next' }).click()
  await tour.getByRole('button', { name: 'Skip' }).click()
  await page.reload()
  await page.getByRole('heading', { name: 'Welcome to Recollect' }).waitFor()
  expect(await tour.count()).toBe(0)
})
