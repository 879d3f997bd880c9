// Programs that the tests need and npm does not bring: Chromium, PostgreSQL and PgBouncer. Uses the ones on
// this machine; missing ones are installed with apt-get where that is possible (Debian and its derivatives,
// as root), after saying so. Nothing is downloaded from anywhere but the system's package sources.

import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readdirSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

const CHROMIUM_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
/** Debian keeps each version of PostgreSQL in its own folder, outside of PATH. */
const DEBIAN_POSTGRES = '/usr/lib/postgresql'

/** How to find each program, and its Debian package with the rough size of an installation. */
const PROGRAMS = {
  Chromium: { find: findChromium, package: 'chromium', megabytes: 300 },
  PostgreSQL: { find: findPostgres, package: 'postgresql', megabytes: 100 },
  PgBouncer: { find: findPgBouncer, package: 'pgbouncer', megabytes: 2 },
}

/** Path of a Chromium; `CHROMIUM_PATH` overrides the search. */
export function findChromium() {
  const named = process.env.CHROMIUM_PATH
  if (named !== undefined && isExecutable(named)) return named
  const installed = CHROMIUM_NAMES.flatMap((name) => searchPath().map((folder) => join(folder, name)))
  return [...installed, ...playwrightBrowsers()].find(isExecutable)
}

/** The folder with `initdb`, `pg_ctl` and `postgres`: in PATH, or else the newest that Debian installed. */
export function findPostgres() {
  const inPath = searchPath().find(hasPostgres)
  if (inPath !== undefined) return dirname(realpathSync(join(inPath, 'postgres')))
  if (!existsSync(DEBIAN_POSTGRES)) return undefined
  const versions = readdirSync(DEBIAN_POSTGRES).sort((a, b) => Number(b) - Number(a))
  return versions.map((version) => join(DEBIAN_POSTGRES, version, 'bin')).find(hasPostgres)
}

export function findPgBouncer() {
  return [...searchPath(), '/usr/sbin'].map((folder) => join(folder, 'pgbouncer')).find(isExecutable)
}

/**
 * Installs the named programs as far as they are missing, and prints what is going to be installed first.
 * Where that is impossible it installs nothing and prints nothing: callers decide what a missing program means.
 */
export function installMissing(names = Object.keys(PROGRAMS)) {
  const missing = names.filter((name) => PROGRAMS[name].find() === undefined)
  if (missing.length === 0 || !canInstall()) return
  const megabytes = missing.reduce((sum, name) => sum + PROGRAMS[name].megabytes, 0)
  console.log(`Installing ${joinNames(missing)} with apt-get (about ${megabytes} MB) …`)
  const packages = missing.map((name) => PROGRAMS[name].package)
  const install = ['install', '--yes', '--no-install-recommends', ...packages]
  // The package lists of a fresh machine may be empty or old.
  if (!aptGet(...install) && aptGet('update')) aptGet(...install)
}

/** The path of a Chromium, installed if need be; ends the process where that fails. */
export function requireChromium() {
  installMissing(['Chromium'])
  const found = findChromium()
  if (found !== undefined) return found
  console.error('Tests of the web app need Chromium: install the package `chromium`, or set CHROMIUM_PATH.')
  process.exit(1)
}

const searchPath = () => (process.env.PATH ?? '').split(delimiter)

/** Browsers that Playwright installed earlier. */
function playwrightBrowsers() {
  const cache = process.env.PLAYWRIGHT_BROWSERS_PATH ?? join(homedir(), '.cache/ms-playwright')
  if (!existsSync(cache)) return []
  return readdirSync(cache)
    .filter((name) => name.startsWith('chromium-'))
    .map((name) => join(cache, name, 'chrome-linux/chrome'))
}

function hasPostgres(folder) {
  return ['initdb', 'pg_ctl', 'postgres'].every((name) => existsSync(join(folder, name)))
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const canInstall = () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

function aptGet(...words) {
  // RUNLEVEL=1 keeps the packages from starting their services.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const options = { env, stdio: ['ignore', 'ignore', 'inherit'], timeout: 600_000 }
  return spawnSync('apt-get', ['-qq', ...words], options).status === 0
}

const joinNames = (names) => names.join(', ').replace(/, ([^,]+)$/, ' and $1')
