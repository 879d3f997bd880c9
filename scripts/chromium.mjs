// The browser that tests run in: the one that is there. Nothing is downloaded from anywhere but the system's packages.

import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** Where a Chromium is; undefined where there is none. `CHROMIUM_PATH` names one. */
export function findChromium() {
  const named = process.env.CHROMIUM_PATH
  if (named !== undefined && isProgram(named)) return named
  const folders = (process.env.PATH ?? '').split(delimiter)
  const installed = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...installed, ...ofPlaywright()].find(isProgram)
}

/** What Playwright itself installed at some time. */
function ofPlaywright() {
  const cache = process.env.PLAYWRIGHT_BROWSERS_PATH ?? join(homedir(), '.cache/ms-playwright')
  if (!existsSync(cache)) return []
  return readdirSync(cache)
    .filter((name) => name.startsWith('chromium-'))
    .map((name) => join(cache, name, 'chrome-linux/chrome'))
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    // Not there, or not to be run: not the one.
    return false
  }
}

/** Finds a Chromium, or installs Debian's where that can be done; says what to do where it cannot. */
export function needChromium() {
  const found = findChromium() ?? (canInstall() ? install() : undefined)
  if (found !== undefined) return found
  console.error('Tests of the web app need a Chromium: install the package `chromium`, or set CHROMIUM_PATH.')
  process.exit(1)
}

const canInstall = () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

function install() {
  console.log('Installing Chromium …')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const words of [['update'], ['install', '--yes', '--no-install-recommends', 'chromium']]) {
    spawnSync('apt-get', ['-qq', ...words], { stdio: ['ignore', 'ignore', 'inherit'], env })
  }
  return findChromium()
}
