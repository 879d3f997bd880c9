// The settings page and its effects.

import { expect, test } from 'vitest'
import { chattingModel } from '../support/paced-model.ts'
import { findBarriers, openApp, readDownload, say, seeSaid } from '../support/web-app.ts'

const DAY_MS = 86_400_000

test('the budget and instructions are sent with every question', async () => {
  const model = chattingModel('Gladly.')
  const { page, go, memory } = await openApp({ languageModel: model })
  await go('/settings')
  await page.getByLabel('Token budget').selectOption('4000')
  await page.getByLabel('Instructions').fill('Answer in one word.')
  await go('/')
  await say(page, 'Will you help me?')
  await seeSaid(page, 'Gladly.')
  const [conversation] = (await memory.conversations.list()).items
  const [receipt] = (await memory.conversation(conversation?.id ?? '').receipts.list()).items
  expect(receipt?.budgetTokens).toBe(4000)
  expect(JSON.stringify(model.requests[0])).toContain('Answer in one word.')
})

test('new chats are not remembered when that setting is off', async () => {
  const { page, go, memory } = await openApp()
  await go('/settings')
  await page.getByRole('switch', { name: 'Remember new chats' }).click()
  await go('/')
  await say(page, 'My name is Ana.')
  await page.getByText('memory off').waitFor()
  const [conversation] = (await memory.conversations.list()).items
  expect(conversation?.isMemoryOn).toBe(false)
})

test('old chats are previewed before archiving, and pinned ones stay', async () => {
  const { page, go, memory } = await openApp()
  const createdAt = new Date(Date.now() - 60 * DAY_MS)
  for (const id of ['old', 'pinned'])
    await memory.conversation(id).record({ role: 'user', content: `The ${id} one.`, createdAt })
  await memory.conversation('pinned').update({ isPinned: true })
  await memory.conversation('new').record({ role: 'user', content: 'The new one.' })
  await go('/settings')
  await page.getByRole('button', { name: 'Preview…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Archive 1 chat?' })
  await dialog.getByText('Old one').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Archive' }).click()
  await expect
    .poll(async () => (await memory.conversations.list({ archived: 'only' })).items.map(({ id }) => id))
    .toEqual(['old'])
})

test('a key is created, shown once and revoked', async () => {
  const { page, go, server } = await openApp()
  await go('/settings')
  await page.getByRole('button', { name: 'Create key…' }).click()
  await page.getByLabel('Name').fill('backup')
  await page.getByLabel('Permissions').selectOption('read')
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  const key = await page.locator('.made-key').textContent()
  const ask = () => fetch(`${server.url}/api/conversations`, { headers: { authorization: `Bearer ${key}` } })
  expect((await ask()).status).toBe(200)
  await page.getByRole('button', { name: 'Revoke backup' }).click()
  await expect.poll(() => page.locator('.key-row').count()).toBe(0)
  expect((await ask()).status).toBe(401)
})

test('everything is exported as JSON and as Markdown', async () => {
  const { page, go, memory } = await openApp()
  await memory.conversation('trip').record({ role: 'user', content: 'We are in Lisbon in May.' })
  await go('/settings')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'JSON' }).click(),
  ])
  const exported = JSON.parse(await readDownload(file))
  expect(JSON.stringify(exported)).toContain('We are in Lisbon in May.')
  const [markdown] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Markdown' }).click(),
  ])
  expect(await readDownload(markdown)).toContain('We are in Lisbon in May.')
})

test('arrow keys move through a radio group and select', async () => {
  const { page, go } = await openApp()
  await go('/settings')
  const theme = page.getByRole('radiogroup', { name: 'Theme' })
  await theme.getByRole('radio', { name: 'System' }).focus()
  await page.keyboard.press('ArrowRight')
  await theme.getByRole('radio', { name: 'Light', checked: true }).waitFor()
  await page.keyboard.press('End')
  await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
  expect(await page.evaluate('document.activeElement?.textContent')).toBe('Dark')
  await page.keyboard.press('ArrowRight')
  await theme.getByRole('radio', { name: 'System', checked: true }).waitFor()
  expect(await theme.locator('[tabindex="0"]').count()).toBe(1)
})

test('a server that requires a key accepts one', async () => {
  const { page, go, memory, server } = await openApp()
  await memory.conversation('trip').record({ role: 'user', content: 'We are in Lisbon in May.' })
  // Like a server on another machine: without the right key every request is rejected.
  await page.route(`${server.url}/api/**`, (route) => {
    const { authorization, ...headers } = route.request().headers()
    if (authorization === 'Bearer the-key') return route.continue({ headers })
    return route.fulfill({
      status: 401,
      json: { error: { code: 'unauthorized', message: 'a key is missing', requestId: '1' } },
    })
  })
  await go('/')
  await page.getByLabel('This server requires an API key.').fill('the-key')
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.locator('.chat-row').first().waitFor()
})
