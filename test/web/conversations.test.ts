// The chat list: search, rename, pin, archive, delete.

import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { openTemporary } from '../support/open-temporary.ts'
import { chooseFor, openApp, readDownload, seeSaid } from '../support/web-app.ts'

async function openWithChats() {
  const app = await openApp()
  for (const title of ['Taxes for last year', 'A week in Lisbon', 'Birthday of Ines']) {
    await app.memory.conversations.getOrCreate({ id: title.toLowerCase().replaceAll(' ', '-'), title })
    await app.memory
      .conversation(title.toLowerCase().replaceAll(' ', '-'))
      .record({ role: 'user', content: title })
  }
  await app.go('/')
  await app.page.locator('.chat-row').nth(2).waitFor()
  return app
}

test('a chat is renamed, tagged, pinned and found by its tag', async () => {
  const { page, memory } = await openWithChats()
  await chooseFor(page, 'Taxes', 'Rename…')
  await page.getByRole('textbox', { name: 'Title' }).fill('Taxes of 2025')
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.locator('.chat-row', { hasText: 'Taxes of 2025' }).waitFor()
  await chooseFor(page, 'Taxes of 2025', 'Tags…')
  await page.getByRole('textbox', { name: 'Tags, separated by commas' }).fill('money, home')
  await page.getByRole('button', { name: 'Save' }).click()
  await chooseFor(page, 'Taxes of 2025', 'Pin')
  await page.getByRole('heading', { name: 'Pinned' }).waitFor()
  await page.getByRole('searchbox', { name: 'Find a chat' }).fill('mone')
  await expect.poll(() => page.locator('.chat-row').allInnerTexts()).toEqual(['Taxes of 2025'])
  const conversation = await memory.conversation('taxes-for-last-year').get()
  expect(conversation).toMatchObject({ title: 'Taxes of 2025', tags: ['money', 'home'], isPinned: true })
})

test('a deleted chat comes back with undo, and is gone without it', async () => {
  const { page, memory } = await openWithChats()
  await chooseFor(page, 'Birthday', 'Delete')
  await expect.poll(() => page.locator('.chat-row').count()).toBe(2)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => page.locator('.chat-row').count()).toBe(3)
  await chooseFor(page, 'Birthday', 'Delete')
  await expect
    .poll(async () => (await memory.conversation('birthday-of-ines').get()) === undefined, {
      timeout: 20_000,
    })
    .toBe(true)
  expect(await page.locator('.chat-row').count()).toBe(2)
})

test('an archived chat leaves the list, and can be unarchived', async () => {
  const { page } = await openWithChats()
  await chooseFor(page, 'Lisbon', 'Archive')
  await expect.poll(() => page.locator('.chat-row').count()).toBe(2)
  await page.getByRole('button', { name: 'Filter chats' }).click()
  await page.getByRole('menuitemradio', { name: 'Archived chats' }).click()
  await expect.poll(() => page.locator('.chat-row').allInnerTexts()).toEqual(['A week in Lisbon'])
  await chooseFor(page, 'Lisbon', 'Unarchive')
  await page.getByText('No archived chats.').waitFor()
})

test('a chat is exported as Markdown', async () => {
  const { page } = await openWithChats()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    chooseFor(page, 'Lisbon', 'Export as Markdown'),
  ])
  expect(file.suggestedFilename()).toBe('a-week-in-lisbon.md')
})

test('a chat is exported as JSON that imports back', async () => {
  const { page } = await openWithChats()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    chooseFor(page, 'Lisbon', 'Export as JSON'),
  ])
  expect(file.suggestedFilename()).toBe('a-week-in-lisbon.json')
  const exported = await readDownload(file)
  const other = await openTemporary()
  await other.import(Readable.from([exported]))
  expect(
    (await other.conversation('a-week-in-lisbon').messages.list().toArray()).map(({ content }) => content),
  ).toEqual(['A week in Lisbon'])
})

test('a whole chat is forked, or only up to a message', async () => {
  const { page, memory } = await openWithChats()
  await memory.conversation('a-week-in-lisbon').record([
    { role: 'assistant', content: 'Where will you stay?' },
    { role: 'user', content: 'In Alfama.' },
  ])
  const original = 'a-week-in-lisbon'
  const forks = async () =>
    (await memory.conversations.list()).items.filter(({ forkedFrom }) => forkedFrom !== undefined)
  await chooseFor(page, 'Lisbon', 'Fork')
  await seeSaid(page, 'In Alfama.')
  expect(page.url()).not.toContain(original)
  expect((await forks()).map(({ messageCount }) => messageCount)).toEqual([3])
  await page.goto(new URL(`/c/${original}`, page.url()).href)
  const second = page.locator('.message', { hasText: 'Where will you stay?' })
  await second.hover()
  await second.getByRole('button', { name: 'Fork from here' }).click()
  await page.waitForURL((url) => !url.pathname.endsWith(original))
  await seeSaid(page, 'Where will you stay?')
  expect(await page.locator('.message', { hasText: 'In Alfama.' }).count()).toBe(0)
  expect((await forks()).map(({ messageCount }) => messageCount).sort()).toEqual([2, 3])
})

test('chats are grouped by the date of their last use', async () => {
  const { page, memory, go } = await openApp()
  const now = new Date()
  now.setHours(12, 0, 0, 0)
  for (const [id, daysAgo] of [
    ['Today', 0],
    ['Yesterday', 1],
    ['Last 7 days', 4],
    ['Last 30 days', 20],
  ] as const) {
    const createdAt = new Date(Math.min(Date.now(), now.getTime() - daysAgo * 86_400_000))
    await memory.conversation(id).getOrCreate({ title: `Of ${id}` })
    await memory.conversation(id).record({ role: 'user', content: 'Hello.', createdAt })
  }
  await go('/')
  await page.locator('.chat-row').nth(3).waitFor()
  const lines = await page.locator('.sidebar-rows > li').allInnerTexts()
  expect(lines).toEqual(
    ['Today', 'Yesterday', 'Last 7 days', 'Last 30 days'].flatMap((name) => [name, `Of ${name}`]),
  )
})

test('a change that the server rejects is rolled back with a message', async () => {
  const { page } = await openWithChats()
  await page.route('**/api/conversations/*', (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({ status: 500, json: { error: { code: 'internal', message: 'the disk is full' } } })
      : route.fallback(),
  )
  await chooseFor(page, 'Taxes', 'Pin')
  await page.getByText('the disk is full').waitFor()
  expect(await page.getByRole('heading', { name: 'Pinned' }).count()).toBe(0)
  await page.locator('.chat-row', { hasText: 'Taxes' }).waitFor()
})

test('an unread chat is marked until it is opened', async () => {
  const { page, memory, go } = await openWithChats()
  await memory
    .conversation('a-week-in-lisbon')
    .record({ role: 'assistant', content: 'The tickets are there.' })
  await go('/')
  await page.locator('.chat-row', { hasText: 'Lisbon' }).getByText('unread').waitFor({ state: 'attached' })
  await page.getByRole('link', { name: /A week in Lisbon/ }).click()
  await seeSaid(page, 'The tickets are there.')
  await page.getByRole('link', { name: 'New chat' }).first().click()
  await expect
    .poll(() => page.locator('.chat-row', { hasText: 'Lisbon' }).getByText('unread').count())
    .toBe(0)
})

test('what a chat is about is shown, and each part of it is changed or cleared', async () => {
  const { page, memory } = await openWithChats()
  const state = memory.page('a-week-in-lisbon')
  await state.save({
    activeFile: { id: 'f1', name: 'flights.csv' },
    currentTopic: 'Flights to Lisbon',
    entities: { Ines: 'person', 'Tram 28': { line: 28 } },
    preferences: { currency: 'euros' },
  })
  await chooseFor(page, 'Lisbon', 'What it is about…')
  const topic = page.getByRole('textbox', { name: 'Topic' })
  await expect.poll(() => topic.inputValue()).toBe('Flights to Lisbon')
  await topic.fill('A week in May')
  await page.getByRole('textbox', { name: 'People and things' }).fill('Tram 28: {"line":28}\nAlfama: place')
  await page.getByRole('textbox', { name: 'Preferences' }).fill('')
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  const saved = async () => {
    const { activeFile, currentTopic, entities, preferences } = await state.load()
    return { activeFile, currentTopic, entities, preferences }
  }
  await expect.poll(saved).toEqual({
    activeFile: null,
    currentTopic: 'A week in May',
    entities: { 'Tram 28': { line: 28 }, Alfama: 'place' },
    preferences: {},
  })
})
