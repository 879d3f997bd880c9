// A PostgreSQL server for one run: in a temporary folder, on loopback and a free port, removed at the end. Unlike the
// one for tests it syncs; its settings are those that the guide recommends for a small machine.

import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

const DEBIAN = '/usr/lib/postgresql'
const SETTINGS = [
  'shared_buffers=1GB',
  'max_wal_size=4GB',
  'checkpoint_timeout=15min',
  'random_page_cost=1.1',
  'jit=off',
  'max_connections=100',
  'listen_addresses=127.0.0.1',
]

/** Stops when the process ends, or with `stop`. */
export async function startPostgres() {
  const binaries = findBinaries()
  const folder = mkdtempSync(join(tmpdir(), 'recollect-postgres-'))
  const data = join(folder, 'data')
  mkdirSync(data)
  const owner = findOwner()
  if (owner !== undefined) for (const path of [folder, data]) chownSync(path, owner.uid, owner.gid)
  const run = (name, ...words) => runAs(owner, [join(binaries, name), ...words])
  run('initdb', '-D', data, '-U', 'recollect', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync')
  const port = await findFreePort()
  const settings = [...SETTINGS, `port=${port}`, `unix_socket_directories=${folder}`]
  const options = settings.flatMap((setting) => ['-c', setting]).join(' ')
  run('pg_ctl', '-D', data, '-w', '-l', join(folder, 'log'), '-o', options, 'start')
  let isRunning = true
  const stop = () => {
    if (!isRunning) return
    isRunning = false
    run('pg_ctl', '-D', data, '-m', 'immediate', '-w', 'stop')
    rmSync(folder, { recursive: true, force: true })
  }
  process.on('exit', stop)
  const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
  return { url: `postgres://recollect@127.0.0.1:${port}/postgres`, pid, stop }
}

const isComplete = (folder) =>
  ['initdb', 'pg_ctl', 'postgres'].every((name) => existsSync(join(folder, name)))

function findBinaries() {
  const inPath = (process.env.PATH ?? '').split(delimiter).find(isComplete)
  if (inPath !== undefined) return inPath
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : []
  const found = versions.map((version) => join(DEBIAN, version, 'bin')).find(isComplete)
  if (found !== undefined) return found
  throw new Error('there is no PostgreSQL on this machine: install it, or name a database')
}

/** PostgreSQL refuses to run as root, so an unprivileged user runs it. */
function findOwner() {
  if (process.getuid?.() !== 0) return undefined
  const users = readFileSync('/etc/passwd', 'utf8').split('\n')
  const line =
    users.find((user) => user.startsWith('postgres:')) ?? users.find((user) => user.startsWith('nobody:'))
  const [, , uid, gid] = (line ?? 'nobody:x:65534:65534').split(':')
  return { uid: Number(uid), gid: Number(gid) }
}

function runAs(owner, [command, ...words]) {
  const { status, stderr, stdout } = spawnSync(command, words, {
    ...owner,
    cwd: dirname(tmpdir()),
    encoding: 'utf8',
    // The started server would keep pipes open, and spawnSync would wait for them.
    stdio: words.includes('start') ? 'ignore' : 'pipe',
  })
  if (status !== 0) throw new Error(`${command} ${words.join(' ')} failed: ${stderr ?? ''}${stdout ?? ''}`)
}

function findFreePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
