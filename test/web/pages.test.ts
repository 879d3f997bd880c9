// Every page: nobody is kept out, nothing overflows, both themes.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { importFixture } from '../support/import-fixtures.ts'
import { makeZip } from '../support/make-zip.ts'
import { findBarriers, openApp, say, seeSaid, type WebApp } from '../support/web-app.ts'

const PAGES = [
  '/',
  '/c/trip',
  '/c/trip/topics',
  '/known',
  '/known/entities',
  '/known/preferences',
  '/known/notes',
  '/known/documents',
  '/analytics',
  '/import',
  '/settings',
  '/c/nothing',
] as const

async function withTrip(app: WebApp): Promise<WebApp> {
  const trip = app.memory.conversation('trip')
  await trip.record([
    { role: 'user', content: 'I am vegetarian, and we are in Lisbon in May. My sister is called Ines.' },
    {
      role: 'assistant',
      content: 'Noted.\n\n```js\nconst a = 1\n```\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n$x^2$',
    },
  ])
  return app
}

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  test('axe finds nothing serious on any page', async () => {
    const { page, go } = await withTrip(await openApp({}, { colorScheme, isTourLeft: false }))
    for (const path of PAGES) {
      await go(path)
      await page.locator('.top-bar').waitFor()
      await page.waitForTimeout(700)
      expect(await findBarriers(page), path).toEqual([])
    }
  })
})

/** What opens above a page, and how. */
const ABOVE: readonly (readonly [string, string, (page: Page) => Promise<void>])[] = [
  ['search', '/c/trip', (page) => page.keyboard.press('Control+k')],
  ['found', '/c/trip', (page) => search(page, 'vegetarian')],
  ['menu of a chat', '/c/trip', (page) => chooseOf(page, '.chat-row')],
  ['rename', '/c/trip', (page) => chooseOf(page, '.chat-row', 'Rename …')],
  ['tags', '/c/trip', (page) => chooseOf(page, '.chat-row', 'Tags …')],
  ['topic', '/c/trip/topics', (page) => chooseOf(page, '.topic', 'Rename')],
  ['importance', '/c/trip/topics', (page) => chooseOf(page, '.topic', 'Importance')],
  ['fact', '/known', (page) => chooseOf(page, '.fact', 'Correct it')],
  ['new fact', '/known', (page) => page.getByRole('button', { name: 'Add' }).click()],
  ['preference', '/known/preferences', (page) => page.getByRole('button', { name: 'Set one' }).click()],
  ['key', '/settings', (page) => page.getByRole('button', { name: 'Make a key …' }).click()],
  ['old chats', '/settings', (page) => page.getByRole('button', { name: 'Look …' }).click()],
  ['erase', '/settings', (page) => page.getByRole('button', { name: 'Erase …' }).click()],
]

async function search(page: Page, words: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill(words)
  await page.locator('.found mark').first().waitFor()
}

async function chooseOf(page: Page, row: string, action?: string): Promise<void> {
  await page.locator(row).first().hover()
  await page.locator(row).first().getByRole('button', { name: 'What to do with' }).click()
  await page.getByRole('menu').waitFor()
  if (action !== undefined) await page.getByRole('menuitem', { name: action }).click()
}

test.each(['light', 'dark'] as const)('nor in any dialog or menu, in the %s theme', async (colorScheme) => {
  const { page, go } = await withTrip(await openApp({}, { colorScheme }))
  for (const [name, path, open] of ABOVE) {
    await go(path)
    await page.locator('.top-bar').waitFor()
    await open(page)
    await page.waitForTimeout(400)
    expect(await findBarriers(page), name).toEqual([])
  }
})

test('at 360 pixels nothing overflows, and the drawer leads everywhere', async () => {
  const { page, go } = await withTrip(await openApp({}, { viewport: { width: 360, height: 740 } }))
  for (const path of PAGES) {
    await go(path)
    await page.locator('.top-bar').waitFor()
    await page.waitForTimeout(300)
    expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(360)
  }
  await go('/')
  await page.getByRole('button', { name: 'Chats and pages' }).click()
  await page.getByRole('dialog', { name: 'Chats and pages' }).getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test('a chat needs no pointer', async () => {
  const { page, go } = await withTrip(await openApp())
  await go('/')
  await expect.poll(() => page.evaluate("document.activeElement?.getAttribute('aria-label')")).toBe('Message')
  await page.keyboard.type('What is my diet?')
  await page.keyboard.press('Enter')
  await seeSaid(page, 'What is my diet?')
  // One in the bar, and one below the answer when it is there.
  const why = page.getByRole('button', { name: 'Why this answer' })
  await expect.poll(() => why.count(), { timeout: 30_000 }).toBe(2)
  await why.last().press('Enter')
  await page.getByRole('heading', { name: 'What was remembered' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('settings')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+Shift+o')
  await page.getByRole('heading', { name: 'What would you like to talk about?' }).waitFor()
})

test('a chosen theme stays', async () => {
  const { page, go } = await openApp()
  await go('/settings')
  await page.getByRole('radio', { name: 'Dark' }).click()
  await page.reload()
  await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
  expect(await page.evaluate("getComputedStyle(document.body).getPropertyValue('color-scheme')")).toBe('dark')
})

test('an export of ChatGPT is looked into, imported, and read', async () => {
  const { page, go, memory } = await openApp()
  await go('/import')
  const content = readFileSync(importFixture('chatgpt-conversations.json'))
  const buffer = makeZip([{ name: 'conversations.json', content }])
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'export.zip', mimeType: 'application/zip', buffer })
  await page.getByText('This is an export of ChatGPT.').waitFor()
  expect((await memory.conversations.list()).items).toEqual([])
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByText('It is in.').waitFor()
  expect((await memory.conversations.list()).items.length).toBeGreaterThan(0)
  await page.locator('.import-list a').first().click()
  await page.locator('.message').first().waitFor()
})

test('everything is erased only after the words were typed', async () => {
  const { page, go, memory } = await withTrip(await openApp())
  await go('/settings')
  await page.getByRole('button', { name: 'Erase …' }).click()
  const erase = page.getByRole('button', { name: 'Erase for good' })
  expect(await erase.isDisabled()).toBe(true)
  await page.getByRole('textbox', { name: 'to go on' }).fill('erase everything')
  await erase.click()
  await page.getByRole('heading', { name: 'Welcome to Recollect' }).waitFor()
  expect((await memory.statistics()).messages).toBe(0)
})

test('files are attached, and one of them is the active one', async () => {
  const { page, go, memory } = await withTrip(await openApp())
  await go('/c/trip')
  const file = {
    name: 'plan.md',
    mimeType: 'text/markdown',
    buffer: Buffer.from('# Plan\n\nTram 28 at nine.'),
  }
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByRole('button', { name: 'plan.md', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Make it the active file' }).click()
  await page.getByRole('button', { name: 'plan.md, the active file' }).waitFor()
  await expect.poll(async () => (await memory.page('trip').load()).activeFile?.name).toBe('plan.md')
})

test('a server that is gone is told of, and comes back by itself', async () => {
  const { page, go, context } = await withTrip(await openApp())
  await go('/c/trip')
  await seeSaid(page, 'I am vegetarian')
  await context.route('**/api/**', (route) => route.abort())
  await say(page, 'Are you there?')
  await page.getByText('The server cannot be reached.').waitFor()
  await page.getByText('Not sent.').waitFor()
  await context.unroute('**/api/**')
  await page.getByText('The server cannot be reached.').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => page.getByText('Not sent.').count()).toBe(0)
  await seeSaid(page, 'From memory')
})

test('the first load stays small', () => {
  const folder = join(import.meta.dirname, '../../dist/web')
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const [, entry = ''] = /src="\/(assets\/[^"]+\.js)"/.exec(page) ?? []
  expect(readFileSync(join(folder, `${entry}.gz`)).byteLength).toBeLessThan(200 * 1024)
})
