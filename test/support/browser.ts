import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { inject, onTestFinished } from 'vitest'

let connected: Promise<Browser> | undefined

/** The browser of this run; see browser-server.ts. */
function connect(): Promise<Browser> {
  connected ??= chromium.connect(inject('browser'))
  return connected
}

export interface Opened {
  readonly context: BrowserContext
  /** Opens another tab. */
  readonly open: (url: string) => Promise<Page>
  /** Uncaught errors and console errors of all tabs. */
  readonly problems: readonly string[]
}

/** The page itself reports failed requests; that the browser logs them as well is not a problem. */
const isOfNetwork = (text: string): boolean => text.startsWith('Failed to load resource')

type ContextOptions = Parameters<Browser['newContext']>[0]

/** A browser context with separate storage, closed after the test. */
export async function openBrowser(options: ContextOptions = {}): Promise<Opened> {
  const browser = await connect()
  const context = await browser.newContext(options)
  onTestFinished(() => context.close())
  const problems: string[] = []
  context.on('weberror', (error) => problems.push(String(error.error())))
  context.on('console', (message) => {
    if (message.type() === 'error' && !isOfNetwork(message.text())) problems.push(message.text())
  })
  return {
    context,
    problems,
    open: async (url) => {
      const page = await context.newPage()
      page.setDefaultTimeout(60_000)
      await page.goto(url)
      return page
    },
  }
}
