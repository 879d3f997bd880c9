// Finding an old message, and opening the place.

import { expect, test } from 'vitest'
import { messages, openApp, seeSaid } from '../support/web-app.ts'

test('a word of an old message leads to it, in a chat of 10,000', async () => {
  const { page, go, memory } = await openApp()
  const trip = memory.conversation('trip')
  for (let page1000 = 0; page1000 < 10; page1000++) {
    await trip.record(
      Array.from({ length: 1000 }, (_, i) => ({
        role: i % 2 === 0 ? ('user' as const) : ('assistant' as const),
        content:
          page1000 === 1 && i === 234
            ? 'The locker at the station has the number 7741.'
            : `Talk ${page1000 * 1000 + i} about this and that.`,
      })),
    )
  }
  await go('/c/trip')
  await seeSaid(page, 'Talk 9999 about')
  // However long the chat is, only what can be seen is there.
  expect(await messages(page).count()).toBeLessThan(60)
  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog', { name: 'Search everything' })
  await dialog.getByRole('combobox').fill('locker station')
  await dialog.locator('mark', { hasText: 'locker' }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('.message-lit', { hasText: '7741' }).waitFor()
  expect(await messages(page).count()).toBeLessThan(60)
})

test('a long list of chats scrolls, and only what can be seen is there', async () => {
  const { page, go, memory } = await openApp()
  for (let i = 0; i < 700; i++)
    await memory.conversations.getOrCreate({ id: `chat-${i}`, title: `Chat number ${i}` })
  await go('/')
  const list = page.getByRole('navigation', { name: 'Chats', exact: true })
  await list.getByText('Chat number 699').waitFor()
  await list.hover()
  await expect
    .poll(
      async () => {
        await page.mouse.wheel(0, 40_000)
        return list.getByText('Chat number 0', { exact: true }).count()
      },
      { timeout: 60_000, interval: 200 },
    )
    .toBe(1)
  expect(await page.locator('.chat-row').count()).toBeLessThan(80)
})

test('a search is narrowed to what is wanted, and to the chat that is open', async () => {
  const { page, go, memory } = await openApp()
  await memory.conversation('trip').getOrCreate({ title: 'Lisbon in May' })
  await memory.conversation('trip').record({ role: 'user', content: 'I live in Lisbon.' })
  await memory.conversation('other').getOrCreate({ title: 'Elsewhere' })
  await memory.conversation('other').record({ role: 'user', content: 'Lisbon is far from here.' })
  await go('/c/other')
  await seeSaid(page, 'Lisbon is far')
  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog', { name: 'Search everything' })
  await dialog.getByRole('combobox').fill('lisbon')
  const groups = () => dialog.locator('.found-group').allTextContents()
  await expect.poll(groups).toEqual(['Chats', 'Messages', 'What is known'])
  await dialog.getByRole('button', { name: 'What is known' }).click()
  await expect.poll(groups).toEqual(['What is known'])
  await dialog.locator('.found mark', { hasText: 'Lisbon' }).first().waitFor()
  await dialog.getByRole('button', { name: 'Messages' }).click()
  await expect.poll(groups).toEqual(['Messages'])
  await expect.poll(() => dialog.locator('.found').count()).toBe(2)
  await dialog.getByRole('button', { name: 'Only this chat' }).click()
  await expect.poll(() => dialog.locator('.found').count()).toBe(1)
  await dialog.getByRole('button', { name: 'Only this chat' }).click()
  await dialog.getByRole('button', { name: 'Chats', exact: true }).click()
  await expect.poll(groups).toEqual(['Chats'])
  await dialog.getByRole('combobox').press('Enter')
  await page.waitForURL('**/c/trip')
})
