// `npm run screenshots`: saves every page of the web app in both themes and three widths to screenshots/, which git
// ignores. Look at them before you finish a change of the app.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { root, setUp } from './setup.mjs'
import { requireChromium } from './system-programs.mjs'

setUp()
const { openMemory } = await import('../dist/index.js')
const { startServer } = await import('../dist/server/start-server.js')

const folder = join(root, 'screenshots')
const store = mkdtempSync(join(tmpdir(), 'recollect-screenshots-'))
const WIDTHS = [360, 1280, 2560]
const THEMES = ['light', 'dark']

const toEnd = (selector) => async (page) => {
  await page.locator(selector).evaluate((element) => element.scrollTo(0, element.scrollHeight))
}

const EXPORT = [
  {
    title: 'Sourdough for beginners',
    create_time: 1_767_600_000,
    mapping: {
      root: { id: 'root', message: null, parent: null, children: ['a'] },
      a: {
        id: 'a',
        parent: 'root',
        children: [],
        message: {
          id: 'a',
          author: { role: 'user' },
          create_time: 1_767_600_000,
          content: { content_type: 'text', parts: ['How do I keep a sourdough alive?'] },
        },
      },
    },
    current_node: 'a',
  },
]

/** Each screenshot: its path, and what to do there. */
const SCENES = {
  'new-chat': ['/'],
  incognito: ['/#incognito'],
  chat: ['/c/sample-lisbon'],
  'chat-middle': ['/c/sample-lisbon#m-sample-lisbon-2'],
  'chat-code': ['/c/sample-lisbon#m-sample-lisbon-10'],
  'chat-menu': [
    '/c/sample-lisbon',
    (page) => page.locator('.top-bar').getByRole('button', { name: 'Actions for' }).click(),
  ],
  why: ['/c/other', (page) => page.getByRole('button', { name: 'Why this answer' }).last().click()],
  topics: ['/c/sample-lisbon/topics'],
  'topics-open': [
    '/c/sample-lisbon/topics',
    async (page) => {
      await page
        .getByRole('button', { name: /^Show \d+ message/ })
        .last()
        .click()
      await toEnd('.page')(page)
    },
  ],
  search: [
    '/c/sample-lisbon',
    async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill('hotel')
    },
  ],
  memory: ['/memory'],
  'memory-open': ['/memory', (page) => page.locator('.fact-main').first().click()],
  'memory-dialog': ['/memory', (page) => page.getByRole('button', { name: 'Add' }).click()],
  entities: ['/memory/entities', (page) => page.locator('.memory-row').first().getByRole('button').click()],
  preferences: ['/memory/preferences'],
  notes: ['/memory/notes'],
  documents: ['/memory/documents', (page) => page.locator('.memory-row-main').first().click()],
  analytics: ['/analytics'],
  'analytics-end': ['/analytics', toEnd('.page')],
  import: ['/import'],
  'import-preview': [
    '/import',
    (page) =>
      page.locator('input[type=file]').setInputFiles({
        name: 'conversations.json',
        mimeType: 'application/json',
        buffer: Buffer.from(JSON.stringify(EXPORT)),
      }),
  ],
  settings: ['/settings'],
  'settings-middle': [
    '/settings',
    (page) => page.locator('.page').evaluate((element) => element.scrollTo(0, 700)),
  ],
  'settings-end': ['/settings', toEnd('.page')],
  'erase-all': ['/settings', (page) => page.getByRole('button', { name: 'Erase…' }).click()],
  missing: ['/c/nothing'],
}

/** Waits for data and animations. The page keeps an event stream open, so the network never becomes idle. */
async function settle(page) {
  await page.locator('.top-bar').waitFor()
  await page.waitForTimeout(1000)
}

async function shoot(browser, url, { width, colorScheme }) {
  const context = await browser.newContext({
    viewport: { width, height: width < 600 ? 740 : 900 },
    colorScheme,
  })
  await context.addInitScript("localStorage.setItem('recollect.tour', 'left')")
  const page = await context.newPage()
  for (const [name, [path, act]] of Object.entries(SCENES)) {
    if (process.argv.length > 2 && !process.argv.slice(2).includes(name)) continue
    await page.goto(url + path)
    await settle(page)
    await act?.(page)
    await settle(page)
    await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`) })
  }
  if (width < 600) {
    await page.goto(`${url}/c/sample-lisbon`)
    await settle(page)
    await page.getByRole('button', { name: 'Chats and pages' }).click()
    await settle(page)
    await page.screenshot({ path: join(folder, `drawer-${colorScheme}-${width}.png`) })
  }
  await context.close()
}

/** The first run, then the sample chat. */
async function firstRun(browser, url) {
  for (const colorScheme of THEMES)
    for (const width of WIDTHS) {
      const height = width < 600 ? 740 : 900
      const page = await browser.newPage({ viewport: { width, height }, colorScheme })
      await page.goto(url)
      await settle(page)
      await page.screenshot({ path: join(folder, `first-run-${colorScheme}-${width}.png`) })
      await page.close()
    }
  const page = await browser.newPage()
  await page.goto(url)
  await page.getByRole('button', { name: 'A sample chat' }).click()
  await page.getByRole('heading', { name: 'A week in Lisbon' }).waitFor()
  await page.close()
}

/** Attaches a file and asks questions. */
async function ask(browser, url) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  await page.goto(`${url}/c/sample-lisbon`)
  const file = {
    name: 'plan.md',
    mimeType: 'text/markdown',
    buffer: Buffer.from('# Plan\n\nTram 28 at nine.'),
  }
  await page.locator('input[type=file]').setInputFiles(file)
  const field = page.getByRole('textbox', { name: 'Message', exact: true })
  for (const text of ['Where could we have dinner near our hotel?', 'And what did Ines say about heights?']) {
    await field.fill(text)
    await field.press('Enter')
    await page.waitForTimeout(2500)
  }
  await page.goto(`${url}/c/other`)
  await field.fill('What did I say about our hotel in Lisbon, and about the budget?')
  await field.press('Enter')
  await page.getByRole('button', { name: 'Why this answer' }).last().waitFor()
  await page.close()
}

/** Older chats and a note. */
async function remember(memory) {
  await memory.conversations.getOrCreate({
    id: 'taxes',
    title: 'Taxes for last year',
    isPinned: true,
    tags: ['money'],
  })
  await memory.conversations.getOrCreate({ id: 'other', title: 'Dinner with Ines' })
  await memory.conversation('other').record([
    { role: 'user', content: 'Ines comes to dinner on Friday. What could I cook?' },
    { role: 'assistant', content: 'A risotto with asparagus: it is vegetarian, and done in half an hour.' },
  ])
  const now = Date.now()
  for (const [days, title] of [
    [1, 'Names for a cat'],
    [3, 'A talk about tides'],
    [18, 'Moving to Hamburg'],
    [70, 'Chess openings for beginners'],
  ]) {
    await memory.conversations.getOrCreate({ id: title, title })
    const createdAt = new Date(now - days * 86_400_000)
    for (let i = 0; i < 3 + (days % 5); i++)
      await memory
        .conversation(title)
        .record({ role: i % 2 === 0 ? 'user' : 'assistant', content: `${title}, part ${i}.`, createdAt })
  }
  await memory.preferences.update('units', 'metric')
  await memory.notes.add({
    text: 'Tram 28E runs a short route until June because of works in Graça.',
    source: { url: 'https://example.com/28e', title: 'Works on line 28E' },
    conversationId: 'sample-lisbon',
  })
}

const memory = await openMemory(join(store, 'memory.db'))
const server = await startServer(memory, { port: 0 })
const browser = await chromium.launch({ executablePath: requireChromium(), args: ['--no-sandbox'] })
try {
  mkdirSync(folder, { recursive: true })
  await firstRun(browser, server.url)
  await remember(memory)
  await ask(browser, server.url)
  for (const colorScheme of THEMES)
    for (const width of WIDTHS) await shoot(browser, server.url, { width, colorScheme })
} finally {
  await browser.close()
  await server.close()
  await memory.close()
  rmSync(store, { recursive: true, force: true })
}
