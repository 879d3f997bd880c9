// Every page: accessibility, no overflow, both themes.

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
  '/memory',
  '/memory/entities',
  '/memory/preferences',
  '/memory/notes',
  '/memory/documents',
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

/** A theme changes only colours. */
const RULES = { light: undefined, dark: ['color-contrast'] }

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  test('axe finds no serious problem on any page', async () => {
    const { page, go } = await withTrip(await openApp({}, { colorScheme, isTourLeft: false }))
    for (const path of PAGES) {
      await go(path)
      await page.locator('.top-bar').waitFor()
      await page.waitForTimeout(700)
      expect(await findBarriers(page, RULES[colorScheme]), path).toEqual([])
    }
  })
})

/** Dialogs and menus, and how to open them. */
const OVERLAYS: readonly (readonly [string, string, (page: Page) => Promise<void>])[] = [
  ['search', '/c/trip', (page) => page.keyboard.press('Control+k')],
  ['found', '/c/trip', (page) => search(page, 'vegetarian')],
  ['menu of a chat', '/c/trip', (page) => chooseOf(page, '.chat-row')],
  ['rename', '/c/trip', (page) => chooseOf(page, '.chat-row', 'Rename…')],
  ['tags', '/c/trip', (page) => chooseOf(page, '.chat-row', 'Tags…')],
  ['page', '/c/trip', (page) => chooseOf(page, '.chat-row', 'What it is about…')],
  ['topic', '/c/trip/topics', (page) => chooseOf(page, '.topic', 'Rename')],
  ['importance', '/c/trip/topics', (page) => chooseOf(page, '.topic', 'Importance')],
  ['fact', '/memory', (page) => chooseOf(page, '.fact', 'Edit…')],
  ['new fact', '/memory', (page) => page.getByRole('button', { name: 'Add' }).click()],
  ['preference', '/memory/preferences', (page) => page.getByRole('button', { name: 'Add' }).click()],
  ['key', '/settings', (page) => page.getByRole('button', { name: 'Create key…' }).click()],
  ['old chats', '/settings', (page) => page.getByRole('button', { name: 'Preview…' }).click()],
  ['erase', '/settings', (page) => page.getByRole('button', { name: 'Erase…' }).click()],
]

async function search(page: Page, words: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill(words)
  await page.locator('.found mark').first().waitFor()
}

async function chooseOf(page: Page, row: string, action?: string): Promise<void> {
  await page.locator(row).first().hover()
  await page.locator(row).first().getByRole('button', { name: 'Actions for' }).click()
  await page.getByRole('menu').waitFor()
  if (action !== undefined) await page.getByRole('menuitem', { name: action }).click()
}

test.each(['light', 'dark'] as const)(
  'axe finds no serious problem in any dialog or menu, in the %s theme',
  async (colorScheme) => {
    const { page, go } = await withTrip(await openApp({}, { colorScheme }))
    for (const [name, path, open] of OVERLAYS) {
      await go(path)
      await page.locator('.top-bar').waitFor()
      await open(page)
      await page.waitForTimeout(400)
      expect(await findBarriers(page, RULES[colorScheme]), name).toEqual([])
    }
  },
)

test('at 360 pixels nothing overflows, and the drawer links to every page', async () => {
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

test('a chat works with the keyboard only', async () => {
  const { page, go } = await withTrip(await openApp())
  await go('/')
  await expect.poll(() => page.evaluate("document.activeElement?.getAttribute('aria-label')")).toBe('Message')
  await page.keyboard.type('What is my diet?')
  await page.keyboard.press('Enter')
  await seeSaid(page, 'What is my diet?')
  // One in the top bar, and one below the answer.
  const why = page.getByRole('button', { name: 'Why this answer' })
  await expect.poll(() => why.count(), { timeout: 30_000 }).toBe(2)
  await why.last().press('Enter')
  await page.getByRole('heading', { name: 'Used from memory' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('settings')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+Shift+o')
  await page.getByRole('heading', { name: 'What would you like to talk about?' }).waitFor()
})

test('the chosen theme survives a reload', async () => {
  const { page, go } = await openApp()
  await go('/settings')
  await page.getByRole('radio', { name: 'Dark' }).click()
  await page.reload()
  await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
  expect(await page.evaluate("getComputedStyle(document.body).getPropertyValue('color-scheme')")).toBe('dark')
})

test('a ChatGPT export is previewed, imported and opened', async () => {
  const { page, go, memory } = await openApp()
  await go('/import')
  const content = readFileSync(importFixture('chatgpt-conversations.json'))
  const buffer = makeZip([{ name: 'conversations.json', content }])
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'export.zip', mimeType: 'application/zip', buffer })
  await page.getByText('Preview: ChatGPT export').waitFor()
  expect((await memory.conversations.list()).items).toEqual([])
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByRole('heading', { name: 'Imported' }).waitFor()
  expect((await memory.conversations.list()).items.length).toBeGreaterThan(0)
  await page.locator('.import-list a').first().click()
  await page.locator('.message').first().waitFor()
})

test('everything is erased only after typing the confirmation', async () => {
  const { page, go, memory } = await withTrip(await openApp())
  await go('/settings')
  await page.getByRole('button', { name: 'Erase…' }).click()
  const erase = page.getByRole('button', { name: 'Erase everything' })
  expect(await erase.isDisabled()).toBe(true)
  await page.getByRole('textbox', { name: 'to confirm' }).fill('erase everything')
  await erase.click()
  await page.getByRole('heading', { name: 'Welcome to Recollect' }).waitFor()
  expect((await memory.statistics()).messages).toBe(0)
})

test('a file that is attached becomes the active file, and can be unset', async () => {
  const { page, go, memory } = await withTrip(await openApp())
  await go('/c/trip')
  const file = {
    name: 'plan.md',
    mimeType: 'text/markdown',
    buffer: Buffer.from('# Plan\n\nTram 28 at nine.'),
  }
  await page.locator('input[type=file]').setInputFiles(file)
  const activeName = async () => (await memory.page('trip').load()).activeFile?.name
  await page.getByRole('button', { name: 'plan.md (active file)' }).click()
  expect(await activeName()).toBe('plan.md')
  await page.getByRole('menuitem', { name: 'Unset as active file' }).click()
  await page.getByRole('button', { name: 'plan.md', exact: true }).click()
  await expect.poll(activeName).toBe(undefined)
  await page.getByRole('menuitem', { name: 'Set as active file' }).click()
  await page.getByRole('button', { name: 'plan.md (active file)' }).waitFor()
  await expect.poll(activeName).toBe('plan.md')
})

test('an unreachable server shows a notice, and the app reconnects', async () => {
  const { page, go, context } = await withTrip(await openApp())
  await go('/c/trip')
  await seeSaid(page, 'I am vegetarian')
  await context.route('**/api/**', (route) => route.abort())
  await say(page, 'Are you there?')
  await page.getByText('Can’t reach the server.').waitFor()
  await page.getByText('Not sent.').waitFor()
  await context.unroute('**/api/**')
  await page.getByText('Can’t reach the server.').waitFor({ state: 'detached' })
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
