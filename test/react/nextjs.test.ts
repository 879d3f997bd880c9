// The Next.js example in a real browser: rendered on the server, hydrated, with a workspace for each signed-in user.
// `npm test` checks the published files only; server-rendering.test.ts renders them.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test, vi } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { effort } from '../support/effort.ts'
import { startNextExample } from '../support/next-example.ts'

const FOLDER = join(import.meta.dirname, '../../dist/adapters/react')

async function openAs(user: string, url: string) {
  const browser = await openBrowser({ viewport: { width: 1100, height: 700 } })
  const page = await browser.open(url)
  await signIn(page, user)
  return { ...browser, page }
}

async function signIn(page: Page, user: string): Promise<void> {
  await page.getByLabel('Name').fill(user)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText(`Signed in as ${user}`).waitFor()
}

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text)
  await page.keyboard.press('Enter')
  await page.locator('.recollect-message[data-role=assistant][data-state=kept]').last().waitFor()
}

// Installing and building Next.js takes a minute.
describe.runIf(effort({ short: 0, long: 1 }) === 1)('the installed example', () => {
  const urlOf = startNextExample()

  test('the page is rendered on the server, and hydrated without a difference', async () => {
    const { page, problems } = await openAs('ada', urlOf())
    const html = await (await page.request.get(urlOf())).text()
    expect(html).toContain('aria-label="Ask about sales"')
    expect(html).toContain('data-status="loading"')
    await page.getByRole('button', { name: 'Open sales-2026.csv' }).click()
    await page.getByLabel('Currency').selectOption('USD')
    await page.getByRole('textbox', { name: 'Message' }).fill('A draft')
    await page.reload()
    await page.getByRole('button', { name: 'Close sales-2026.csv' }).waitFor()
    expect(await page.getByLabel('Currency').inputValue()).toBe('USD')
    await vi.waitFor(async () =>
      expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('A draft'),
    )
    expect(problems).toEqual([])
  })

  test('each user has their own memory, and sees nothing of the other in the same browser', async () => {
    const { page, problems } = await openAs('zoë', urlOf())
    await say(page, 'My cat is called Miso.')
    await say(page, 'What is my cat called?')
    await page.locator('.recollect-message[data-role=assistant]', { hasText: 'Miso' }).waitFor()
    await page.getByRole('textbox', { name: 'Message' }).fill('A secret draft')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Name').waitFor()
    await signIn(page, 'ben')
    await page.getByText('Nothing has been said yet.').waitFor()
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('')
    await say(page, 'What is my cat called?')
    expect(await page.locator('.recollect-message').allTextContents()).not.toContain('Miso')
    expect(problems).toEqual([])
  })

  test('without a session the route answers 401, and pages of other sites get nothing', async () => {
    const ask = (headers: Record<string, string>) =>
      fetch(`${urlOf()}/api/memory/api/conversations`, { headers })
    expect((await ask({})).status).toBe(401)
    expect((await ask({ cookie: 'user=ada' })).status).toBe(200)
    const other = { origin: 'https://evil.example.com', 'sec-fetch-site': 'cross-site' }
    expect((await ask({ cookie: 'user=ada', ...other })).status).toBe(403)
  })
})

test('published modules with hooks are client modules, and the client itself works on a server too', () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.js'),
  )
  const entry = readFileSync(join(FOLDER, 'index.js'), 'utf8')
  const withHooks = files.filter((path) => /from 'react'/.test(readFileSync(join(FOLDER, path), 'utf8')))
  const exported = withHooks.filter((path) => entry.includes(`./${path}`))
  expect(exported).toContain('hooks.js')
  for (const path of [...exported, 'chat-sidebar/chat-sidebar.js']) {
    const code = readFileSync(join(FOLDER, path), 'utf8').replaceAll(/^\s*\/\/.*$/gm, '')
    expect(code.trimStart().startsWith("'use client'"), path).toBe(true)
  }
  for (const path of ['index.js', 'client/create-client.js'])
    expect(readFileSync(join(FOLDER, path), 'utf8'), path).not.toContain('use client')
})
