// Finding an old message and opening it.

import { expect, test } from 'vitest'
import { messages, openApp, seeSaid } from '../support/web-app.ts'

test('search opens an old message in a chat of 10,000 messages', async () => {
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
  // Only visible messages are rendered.
  expect(await messages(page).count()).toBeLessThan(60)
  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog', { name: 'Search everything' })
  await dialog.getByRole('combobox').fill('locker station')
  await dialog.locator('mark', { hasText: 'locker' }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('.message-lit', { hasText: '7741' }).waitFor()
  expect(await messages(page).count()).toBeLessThan(60)
})

test('a long chat list scrolls and renders only visible rows', async () => {
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

test('a search can be limited to one kind and to the open chat', async () => {
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
  await expect.poll(groups).toEqual(['Chats', 'Messages', 'Memory'])
  await dialog.getByRole('button', { name: 'Memory' }).click()
  await expect.poll(groups).toEqual(['Memory'])
  await dialog.locator('.found mark', { hasText: 'Lisbon' }).first().waitFor()
  await dialog.getByRole('button', { name: 'Messages' }).click()
  await expect.poll(groups).toEqual(['Messages'])
  await expect.poll(() => dialog.locator('.found').count()).toBe(2)
  await dialog.getByRole('button', { name: 'This chat only' }).click()
  await expect.poll(() => dialog.locator('.found').count()).toBe(1)
  await dialog.getByRole('button', { name: 'This chat only' }).click()
  await dialog.getByRole('button', { name: 'Chats', exact: true }).click()
  await expect.poll(groups).toEqual(['Chats'])
  await dialog.getByRole('combobox').press('Enter')
  await page.waitForURL('**/c/trip')
})
