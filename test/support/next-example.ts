// The Next.js example as a user would have it: the packed package and Next.js installed in an empty folder, built and
// started for production.

import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { findFreePort } from './free-port.ts'

const root = join(import.meta.dirname, '../..')
const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }

/** Returns the URL of the example; it runs until the tests of the file are done. */
export function startNextExample(): () => string {
  const folder = mkdtempSync(join(tmpdir(), 'recollect-nextjs-'))
  const next = join(folder, 'node_modules/next/dist/bin/next')
  const run = (command: string, words: readonly string[], cwd = folder) =>
    execFileSync(command, words, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  let url = ''
  let stop = async () => undefined as unknown
  beforeAll(async () => {
    cpSync(join(root, 'examples/nextjs'), folder, { recursive: true })
    const [packed] = JSON.parse(
      run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], root),
    )
    run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', join(folder, packed.filename)])
    run(process.execPath, [next, 'build'])
    const port = await findFreePort()
    const server = spawn(process.execPath, [next, 'start', '--hostname', '127.0.0.1', '--port', `${port}`], {
      cwd: folder,
      env: { ...env, RECOLLECT_DB: join(folder, 'memory.db') },
      stdio: 'ignore',
    })
    const ended = new Promise((resolve) => server.once('exit', resolve))
    stop = () => {
      server.kill('SIGTERM')
      return ended
    }
    url = `http://127.0.0.1:${port}`
    await waitFor(url)
  }, 600_000)
  afterAll(async () => {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  })
  return () => url
}

async function waitFor(url: string): Promise<void> {
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    const isUp = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`nothing answers at ${url}`)
}
