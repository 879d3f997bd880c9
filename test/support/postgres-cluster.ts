// A temporary PostgreSQL server: in a temporary folder, on loopback and a free port.

import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPostgres } from './find-postgres.ts'
import { findFreePort } from './free-port.ts'

export interface Cluster {
  readonly port: number
  /** The address of the server, without a database name. */
  readonly url: string
  /** Its data directory. */
  readonly data: string
  /** `immediate` simulates a crash: the server recovers from its log. */
  restart(mode: 'fast' | 'immediate'): void
  stop(): void
  start(): void
  /** Stops it and removes its files. */
  remove(): void
}

/** Not durable against power cuts, which these tests do not cover, but several times faster. */
const SETTINGS = ['fsync=off', 'full_page_writes=off', 'listen_addresses=127.0.0.1']

interface ClusterSettings {
  readonly settings?: readonly string[]
  /** Makes this a streaming replica of another cluster. */
  readonly following?: Cluster
}

export async function startCluster({ settings = [], following }: ClusterSettings = {}): Promise<Cluster> {
  const binaries = findPostgres()
  const folder = mkdtempSync(join(tmpdir(), 'recollect-postgres-'))
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  const owner = findOwner()
  if (owner !== undefined) for (const path of [folder, data]) chownSync(path, owner.uid, owner.gid)
  const run = (name: string, ...words: string[]) => runAs(owner, [join(binaries, name), ...words])
  if (following === undefined) makeData(run, data)
  else copyData(run, data, following)
  const port = await findFreePort()
  const all = [...SETTINGS, ...settings, `port=${port}`, `unix_socket_directories=${folder}`]
  const options = all.flatMap((setting) => ['-c', setting]).join(' ')
  const start = () => run('pg_ctl', '-D', data, '-w', '-l', join(folder, 'log'), '-o', options, 'start')
  const stop = (mode: string) => run('pg_ctl', '-D', data, '-m', mode, '-w', 'stop')
  start()
  return {
    port,
    url: `postgres://recollect@127.0.0.1:${port}`,
    data,
    start,
    stop: () => stop('fast'),
    restart: (mode) => {
      stop(mode)
      start()
    },
    remove: () => {
      if (existsSync(join(data, 'postmaster.pid'))) stop('immediate')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Run = (name: string, ...words: string[]) => void

function makeData(run: Run, data: string): void {
  run('initdb', '-D', data, '-U', 'recollect', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync')
  // The user `locked` needs a password; all others do not.
  const access = join(data, 'pg_hba.conf')
  writeFileSync(access, `host all locked 127.0.0.1/32 scram-sha-256\n${readFileSync(access, 'utf8')}`)
}

function copyData(run: Run, data: string, { port }: Cluster): void {
  const from = ['-h', '127.0.0.1', '-p', String(port), '-U', 'recollect']
  run('pg_basebackup', ...from, '-D', data, '--write-recovery-conf', '--checkpoint=fast', '--no-sync')
}

interface User {
  readonly uid: number
  readonly gid: number
}

/** PostgreSQL refuses to run as root, so an unprivileged user runs it. */
export function findOwner(): User | undefined {
  if (process.getuid?.() !== 0) return undefined
  const users = readFileSync('/etc/passwd', 'utf8').split('\n')
  const line =
    users.find((user) => user.startsWith('postgres:')) ?? users.find((user) => user.startsWith('nobody:'))
  const [, , uid, gid] = (line ?? 'nobody:x:65534:65534').split(':')
  return { uid: Number(uid), gid: Number(gid) }
}

function runAs(owner: User | undefined, [command = '', ...words]: readonly string[]): void {
  const { status, stderr, stdout } = spawnSync(command, words, {
    ...owner,
    cwd: tmpdir(),
    encoding: 'utf8',
    // The started server would keep pipes open, and spawnSync would wait for them.
    stdio: words.includes('start') ? 'ignore' : 'pipe',
  })
  if (status !== 0) throw new Error(`${command} ${words.join(' ')} failed: ${stderr ?? ''}${stdout ?? ''}`)
}
