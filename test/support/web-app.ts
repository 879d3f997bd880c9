import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Download, Locator, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import type { OpenOptions } from '../../src/index.ts'
import { type Opened, openBrowser } from './browser.ts'
import { type Served, serveTemporary } from './http-server.ts'
import { temporaryFolder } from './temporary-folder.ts'

export interface WebApp extends Served, Opened {
  readonly page: Page
  /** Navigates to a path of the app. */
  readonly go: (path: string) => Promise<void>
}

type Screen = NonNullable<Parameters<typeof openBrowser>[0]>

/** The app in a real browser with a real server. Console errors and requests to other hosts fail the test. */
export async function openApp(
  options: OpenOptions = {},
  { isTourLeft = true, ...screen }: Screen & { readonly isTourLeft?: boolean } = {},
): Promise<WebApp> {
  const served = await serveTemporary({}, options)
  const browser = await openBrowser({ viewport: { width: 1280, height: 800 }, ...screen })
  await browser.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: served.server.url })
  // Skips the tour, which would cover the page.
  if (isTourLeft)
    await browser.context.addInitScript(
      "if (location.protocol !== 'about:') localStorage.setItem('recollect.tour', 'left')",
    )
  const page = await browser.open('about:blank')
  page.setDefaultTimeout(30_000)
  const foreign: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (/^https?:/.test(url) && !url.startsWith(served.server.url)) foreign.push(url)
  })
  onTestFinished(() => {
    expect(browser.problems).toEqual([])
    expect(foreign).toEqual([])
  })
  return { ...served, ...browser, page, go: async (path) => void (await page.goto(served.server.url + path)) }
}

export const composer = (page: Page): Locator => page.getByRole('textbox', { name: 'Message', exact: true })

/** Sends a message in the open chat, after the current reply has ended (until then the draft stays). */
export async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
  await composer(page).fill(text)
  await composer(page).press('Enter')
}

export const messages = (page: Page): Locator => page.locator('.message')

/** Waits until a message with this text is visible. */
export const seeSaid = (page: Page, text: string): Promise<void> =>
  page.locator('.message', { hasText: text }).last().waitFor()

/** Chooses an action in the menu of a chat in the sidebar. */
export async function chooseFor(page: Page, title: string, action: string): Promise<void> {
  const row = page.locator('.chat-row', { hasText: title })
  await row.hover()
  await row.getByRole('button', { name: 'Actions for' }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

/** The text of a downloaded file. Saves it first: the shared browser does not expose its own path. */
export async function readDownload(download: Download): Promise<string> {
  const path = join(temporaryFolder(), 'download')
  await download.saveAs(path)
  return readFileSync(path, 'utf8')
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Serious accessibility violations found by axe-core, as lines. */
export async function findBarriers(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  await page.evaluate(axeSource)
  return page.evaluate(async (runOnly) => {
    const { axe } = globalThis as unknown as { axe: { run: (options: object) => Promise<AxeResult> } }
    const { violations } = await axe.run(runOnly === undefined ? {} : { runOnly })
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
      )
  }, rules)
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
  }[]
}
