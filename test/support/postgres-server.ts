// One PostgreSQL server for all tests of a run: made in a temporary folder, on loopback and a free port, gone at the
// end. Tests get a schema of their own each, in a database of the file's own.

import { spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { findPostgres } from './find-postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the server, up to the name of a database. */
    postgres: string
    /** Where its files lie. */
    postgresFolder: string
  }
}

/** Sure of nothing after a power cut, which no test of this server is about: several times as fast. */
const SETTINGS = ['fsync=off', 'full_page_writes=off', 'max_connections=100', 'listen_addresses=127.0.0.1']

let stop: () => void = () => undefined

export async function setup(project: TestProject): Promise<void> {
  const binaries = findPostgres()
  const folder = mkdtempSync(join(tmpdir(), 'recollect-postgres-'))
  const data = join(folder, 'data')
  mkdirSync(data)
  const owner = findOwner()
  if (owner !== undefined) for (const path of [folder, data]) chownSync(path, owner.uid, owner.gid)
  const run = (name: string, ...words: string[]) => runAs(owner, [join(binaries, name), ...words])
  run('initdb', '-D', data, '-U', 'recollect', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync')
  // One user has to say a password; nobody else has.
  const access = join(data, 'pg_hba.conf')
  writeFileSync(access, `host all locked 127.0.0.1/32 scram-sha-256\n${readFileSync(access, 'utf8')}`)
  const port = await findFreePort()
  const settings = [...SETTINGS, `port=${port}`, `unix_socket_directories=${folder}`]
  const log = join(folder, 'log')
  const options = settings.flatMap((setting) => ['-c', setting]).join(' ')
  run('pg_ctl', '-D', data, '-w', '-l', log, '-o', options, 'start')
  // A run that is ended from outside takes its server along.
  process.once('SIGTERM', () => {
    stop()
    process.exit(143)
  })
  project.provide('postgres', `postgres://recollect@127.0.0.1:${port}`)
  project.provide('postgresFolder', data)
  stop = () => {
    stop = () => undefined
    run('pg_ctl', '-D', data, '-m', 'immediate', '-w', 'stop')
    rmSync(folder, { recursive: true, force: true })
  }
}

interface User {
  readonly uid: number
  readonly gid: number
}

/** PostgreSQL refuses to run as root; then somebody who is nobody runs it. */
function findOwner(): User | undefined {
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
    // What a server that goes on would keep open, nobody waits for.
    stdio: words.includes('start') ? 'ignore' : 'pipe',
  })
  if (status !== 0) throw new Error(`${command} ${words.join(' ')} failed: ${stderr ?? ''}${stdout ?? ''}`)
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}

export function teardown(): void {
  stop()
}
