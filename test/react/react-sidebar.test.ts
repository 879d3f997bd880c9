// The example application in a real browser: what the page knows, and what its chat is about, over a reload.

import type { Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import type { CompletionRequest } from '../../src/index.ts'
import { openBrowser } from '../support/browser.ts'
import { buildExample } from '../support/example-server.ts'
import { type Served, serveTemporary } from '../support/http-server.ts'
import { chattingModel } from '../support/paced-model.ts'
import { findBarriers } from '../support/web-app.ts'

const serveExample = buildExample('react-sidebar')
const REVENUE = 'Cobalt Works brought the most revenue this year, 312,900.'

async function openExample(...lines: readonly string[]) {
  const model = chattingModel(...lines)
  const served = await serveTemporary({}, { languageModel: model })
  const url = await serveExample(served.server.url)
  const browser = await openBrowser({ viewport: { width: 1280, height: 800 } })
  return { ...browser, ...served, url, model }
}

async function ask(page: Page, text: string, answer: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text)
  await page.keyboard.press('Enter')
  await page
    .locator('.recollect-message[data-state=kept] .recollect-text', { hasText: answer })
    .last()
    .waitFor()
}

const saidIn = (page: Page) => page.locator('.recollect-text').allTextContents()
const toText = (request: CompletionRequest | undefined) => JSON.stringify(request?.messages)
const pageOf = ({ memory }: Served) => memory.page('acme').load()

test('"show me the top 5" is about revenue, also after a reload', async () => {
  const { open, url, model, problems } = await openExample(REVENUE, 'Here are the five.', 'The five again.')
  const page = await open(url)
  await ask(page, 'Which customers brought the most revenue this year?', REVENUE)
  await ask(page, 'show me the top 5', 'Here are the five.')
  expect(toText(model.requests[1])).toContain('brought the most revenue')

  await page.reload()
  await page.getByText('Here are the five.', { exact: true }).first().waitFor()
  expect((await saidIn(page)).slice(0, 2)).toEqual([
    'Which customers brought the most revenue this year?',
    REVENUE,
  ])
  await ask(page, 'and now the top 3', 'The five again.')
  expect(toText(model.requests[2])).toContain('brought the most revenue')
  expect(problems).toEqual([])
})

test('of two pages with two files, each answer is made from the file of its page', async () => {
  const example = await openExample(
    'It is 1,309,230.',
    'Cobalt Works leads.',
    'It is 1,058,065.',
    'Northgate Foods leads.',
  )
  const { model, memory } = example
  const page = await example.open(`${example.url}#acme`)
  await page.getByText('acme-2026.csv').first().waitFor()
  await ask(page, "What's the revenue?", 'It is 1,309,230.')
  await ask(page, 'show me the top 5', 'Cobalt Works leads.')

  await page.getByRole('link', { name: 'Globex' }).click()
  await page.getByText('globex-2026.csv').first().waitFor()
  await ask(page, "What's the revenue?", 'It is 1,058,065.')
  await ask(page, 'show me the top 5', 'Northgate Foods leads.')
  const [first, , ...onGlobex] = model.requests.map(toText)
  expect(first).toContain('Cobalt Works,West,312900')
  expect(onGlobex).toHaveLength(2)
  for (const request of onGlobex) {
    expect(request).toContain('open file: globex-2026.csv; columns: customer, region, revenue')
    expect(request).toContain('Northgate Foods,South,301775')
    expect(request).not.toMatch(/acme|Cobalt/i)
  }
  expect(
    (await memory.page('globex').queries.list()).items.map(({ query, response }) => [query, response]),
  ).toEqual([
    ["What's the revenue?", 'It is 1,058,065.'],
    ['show me the top 5', 'Northgate Foods leads.'],
  ])
  expect(example.problems).toEqual([])
})

test('changes of the page are shown at once, saved, and survive a reload', async () => {
  const example = await openExample('Well.')
  const page = await example.open(example.url)
  await page.getByText('acme-2026.csv').first().waitFor()
  await page.getByLabel('Rows').selectOption('Top 5')
  expect(await page.locator('tbody tr').count()).toBe(5)
  await page.getByText('Saved', { exact: true }).waitFor()
  expect(await pageOf(example)).toMatchObject({
    activeFile: { id: 'acme-2026', name: 'acme-2026.csv' },
    preferences: { rows: 5 },
  })
  await page.reload()
  await vi.waitFor(async () => expect(await page.locator('tbody tr').count()).toBe(5), { timeout: 30_000 })
  expect(example.problems).toEqual([])
})

test('a change that did not reach the server survives a reload, and reaches it then', async () => {
  const example = await openExample('Well.')
  const page = await example.open(example.url)
  await page.getByText('Saved', { exact: true }).waitFor()
  await page.route('**/api/context/**', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await page.getByLabel('Rows').selectOption('Top 3')
  await page.getByRole('alert').waitFor()
  expect(await page.locator('tbody tr').count()).toBe(3)
  await page.unroute('**/api/context/**')
  await page.reload()
  await vi.waitFor(async () => expect(await page.locator('tbody tr').count()).toBe(3), { timeout: 30_000 })
  await vi.waitFor(async () => expect((await pageOf(example)).preferences).toEqual({ rows: 3 }), {
    timeout: 30_000,
  })
})

test('a change made the moment before the page is left is saved', async () => {
  const example = await openExample('Well.')
  const page = await example.open(example.url)
  await page.getByText('Saved', { exact: true }).waitFor()
  await page.getByLabel('Rows').selectOption('Top 3')
  await page.goto('about:blank')
  await vi.waitFor(async () => expect((await pageOf(example)).preferences).toEqual({ rows: 3 }), {
    timeout: 30_000,
  })
})

test('two tabs show the same page and messages', async () => {
  const { open, url, problems } = await openExample(REVENUE)
  const [one, other] = [await open(url), await open(url)]
  await other.getByText('Saved', { exact: true }).waitFor()
  await one.getByLabel('Rows').selectOption('Top 5')
  await vi.waitFor(async () => expect(await other.locator('tbody tr').count()).toBe(5), { timeout: 30_000 })
  await ask(one, 'Which customers brought the most revenue?', REVENUE)
  await other.locator('.recollect-text', { hasText: REVENUE }).waitFor()
  expect(await saidIn(other)).toEqual(await saidIn(one))
  expect(problems).toEqual([])
})

test('with the keyboard only: line breaks, a draft that survives a reload, and the reasons of an answer', async () => {
  const { open, url } = await openExample(REVENUE)
  const page = await open(url)
  const field = page.getByRole('textbox', { name: 'Message' })
  await field.focus()
  await page.keyboard.type('Which customers')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('brought most?')
  await page.reload()
  await expect.poll(() => field.inputValue()).toBe('Which customers\nbrought most?')
  await field.focus()
  await page.keyboard.press('Enter')
  await page.locator('.recollect-message[data-role=assistant][data-state=kept]').waitFor()
  expect(await field.inputValue()).toBe('')
  await page.getByText('Why this answer').focus()
  await page.keyboard.press('Enter')
  await page.locator('.recollect-why-parts li').first().waitFor()
  expect(await findBarriers(page)).toEqual([])
  expect(await page.locator('.recollect-why-tokens').textContent()).toMatch(/^\d+ of [\d,]+ tokens$/)
})

test('an unreachable server is reported, and a retry sends the question', async () => {
  const { open, url } = await openExample(REVENUE)
  const page = await open(url)
  await page.getByText('Nothing has been said yet.').waitFor()
  await page.route('**/chat', (route) => route.abort())
  await page.getByRole('textbox', { name: 'Message' }).fill('Which customers brought most?')
  await page.keyboard.press('Enter')
  await page.locator('.recollect-message[data-state=unsent]').waitFor()
  await page.unroute('**/chat')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.locator('.recollect-text', { hasText: REVENUE }).waitFor()
  expect(await saidIn(page)).toEqual(['Which customers brought most?', REVENUE])
  expect(await page.getByRole('alert').count()).toBe(0)
})
