// One Chromium for all tests of a run. Starting one takes a second or two, so files do not start their own.

import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { findChromium } from '../../scripts/system-programs.mjs'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The WebSocket address of the browser. */
    browser: string
  }
}

let stop: () => Promise<void> = async () => undefined

export async function setup(project: TestProject): Promise<void> {
  const executablePath = findChromium()
  if (executablePath === undefined)
    throw new Error('Chromium is not installed: `npm test` installs it, or set CHROMIUM_PATH')
  const server = await chromium.launchServer({ executablePath, args: ['--no-sandbox'] })
  stop = () => server.close()
  project.provide('browser', server.wsEndpoint())
}

export async function teardown(): Promise<void> {
  await stop()
}
