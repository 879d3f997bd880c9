// `npm run screenshots`: every page of the web app in both themes and three widths, as pictures under screenshots/,
// which git ignores. To be looked at by somebody before a change of the app is called done.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { needChromium } from './chromium.mjs'
import { root, setUp } from './setup.mjs'

setUp()
const { openMemory } = await import('../dist/index.js')
const { startServer } = await import('../dist/server/start-server.js')

const folder = join(root, 'screenshots')
const store = mkdtempSync(join(tmpdir(), 'recollect-screenshots-'))
const WIDTHS = [360, 1280, 2560]
const THEMES = ['light', 'dark']

/** What is to be seen, and how to get there. */
const SCENES = {
  'new-chat': ['/'],
  chat: ['/c/sample-lisbon'],
  why: ['/c/sample-lisbon', (page) => page.getByRole('button', { name: 'Why this answer' }).last().click()],
  topics: ['/c/sample-lisbon/topics'],
  search: [
    '/c/sample-lisbon',
    async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill('hotel')
    },
  ],
  known: ['/known'],
  entities: ['/known/entities'],
  preferences: ['/known/preferences'],
  notes: ['/known/notes'],
  documents: ['/known/documents'],
  analytics: ['/analytics'],
  import: ['/import'],
  settings: ['/settings'],
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
    await page.waitForTimeout(900)
    await act?.(page)
    await page.waitForTimeout(600)
    await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`) })
  }
  await context.close()
}

/** The first run, and what it leads to: the sample, a question, a file. */
async function fill(browser, url) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  await page.goto(url)
  await page.waitForTimeout(800)
  await page.screenshot({ path: join(folder, 'first-run-light-1280.png') })
  await page.getByRole('button', { name: 'A sample chat' }).click()
  await page.getByRole('heading', { name: 'A week in Lisbon' }).waitFor()
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
  await page.close()
}

const memory = await openMemory(join(store, 'memory.db'))
const server = await startServer(memory, { port: 0 })
const browser = await chromium.launch({ executablePath: needChromium(), args: ['--no-sandbox'] })
try {
  mkdirSync(folder, { recursive: true })
  await fill(browser, server.url)
  await memory.createConversation({ id: 'taxes', title: 'Taxes for last year', isPinned: true })
  for (const colorScheme of THEMES)
    for (const width of WIDTHS) await shoot(browser, server.url, { width, colorScheme })
} finally {
  await browser.close()
  await server.close()
  await memory.close()
  rmSync(store, { recursive: true, force: true })
}
