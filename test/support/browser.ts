import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { findChromium } from '../../scripts/system-programs.mjs'

let launched: Promise<Browser> | undefined

/** One browser for a file of tests; it ends with the process. */
function launch(): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === undefined)
    throw new Error('no Chromium; npm test installs one, or set CHROMIUM_PATH')
  launched ??= chromium.launch({ executablePath, args: ['--no-sandbox'] })
  return launched
}

export interface Opened {
  readonly context: BrowserContext
  /** Another tab. */
  readonly open: (url: string) => Promise<Page>
  /** What went wrong in any tab: uncaught errors and what the console calls an error. */
  readonly problems: readonly string[]
}

/** An answer that is no success is told by the page; that the browser lists it as well is no fault. */
const isOfNetwork = (text: string): boolean => text.startsWith('Failed to load resource')

type ContextOptions = Parameters<Browser['newContext']>[0]

/** A browser of its own, with storage of its own, gone after the test. */
export async function openBrowser(options: ContextOptions = {}): Promise<Opened> {
  const browser = await launch()
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
