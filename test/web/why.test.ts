// The "Why this answer" panel: items from memory, their sources, and feedback.

import { expect, test } from 'vitest'
import { chattingModel } from '../support/paced-model.ts'
import { findBarriers, openApp, say, seeSaid } from '../support/web-app.ts'

async function askAboutHotel() {
  const app = await openApp({ languageModel: chattingModel('It is the Tejo Palace.') })
  await app.memory.conversation('trip').getOrCreate({ title: 'A week in Lisbon' })
  await app.memory.conversation('trip').record([
    { id: 'hotel', role: 'user', content: 'Our hotel in Lisbon is the Tejo Palace, close to the river.' },
    { role: 'assistant', content: 'Noted.' },
  ])
  await app.go('/')
  await say(app.page, 'What is the name of our hotel in Lisbon?')
  await seeSaid(app.page, 'It is the Tejo Palace.')
  const why = app.page.getByRole('complementary', { name: 'Why this answer' })
  const openWhy = async () => {
    await app.page.locator('.message').getByRole('button', { name: 'Why this answer' }).last().click()
    await why.getByText('Used from memory').waitFor()
  }
  return { ...app, why, openWhy }
}

test('an item from memory shows its reasons and links to its source message', async () => {
  const { page, why, openWhy } = await askAboutHotel()
  await openWhy()
  const item = why.locator('.why-item', { hasText: 'Tejo Palace' }).first()
  await item.waitFor()
  expect(await item.locator('.reason').count()).toBeGreaterThan(0)
  expect(await item.locator('.reason-score').first().textContent()).toMatch(/^[+−]\d/)
  await why.getByText('Your question', { exact: true }).waitFor()
  await why.getByText('This is the first answer in this chat.').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await item.getByRole('link', { name: 'Go to message' }).click()
  await page.locator('.message-lit', { hasText: 'close to the river' }).waitFor()
  expect(new URL(page.url())).toMatchObject({ pathname: '/c/trip', hash: '#m-hotel' })
})

test('the next answer shows what it shares with the previous one', async () => {
  const { page, why, openWhy } = await askAboutHotel()
  await say(page, 'And where is it?')
  await expect.poll(() => page.locator('.message-assistant').count()).toBe(2)
  await page.locator('.message').getByRole('button', { name: 'Why this answer' }).nth(1).waitFor()
  await openWhy()
  await why.getByText(/Starts with the same|The start is different/).waitFor()
  await expect.poll(() => why.locator('.changes li').count()).toBeGreaterThan(0)
})

test('feedback on an answer and on its sources survives a reload', async () => {
  const { page, why, openWhy, memory } = await askAboutHotel()
  const pressed = (name: string) => page.getByRole('button', { name, exact: true, pressed: true })
  await page.getByRole('button', { name: 'Helpful', exact: true }).click()
  await pressed('Helpful').waitFor()
  await openWhy()
  const item = why.locator('.why-item', { hasText: 'Message' }).filter({ hasText: 'close to the river' })
  await item.getByRole('button', { name: 'This didn’t help' }).click()
  await pressed('This didn’t help').waitFor()
  await expect
    .poll(async () => (await memory.feedback.importanceOf({ kind: 'message', id: 'hotel' })).verdict)
    .toBe('not-helpful')
  await page.reload()
  await pressed('Helpful').waitFor()
  await openWhy()
  await pressed('This didn’t help').waitFor()
  await pressed('Helpful').click()
  await expect.poll(() => pressed('Helpful').count()).toBe(0)
  await page.reload()
  await page.getByRole('button', { name: 'Helpful', exact: true, pressed: false }).waitFor()
})
