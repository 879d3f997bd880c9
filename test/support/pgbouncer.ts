// PgBouncer in transaction mode between a test and its server.

import { type ChildProcess, spawn } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort, isListening } from './free-port.ts'
import { findOwner } from './postgres-cluster.ts'

export interface Pooler {
  /** The address of the same database, through the pooler. */
  readonly url: string
  stop(): void
}

/** Fewer sessions than a store has connections, so that code that relies on getting the same session twice fails. */
const SESSIONS = 3

export async function startPgBouncer(program: string, direct: string): Promise<Pooler> {
  const { hostname, port, username, pathname } = new URL(direct)
  const folder = mkdtempSync(join(tmpdir(), 'recollect-pgbouncer-'))
  const listenPort = await findFreePort()
  const settings = join(folder, 'pgbouncer.ini')
  writeFileSync(
    settings,
    `[databases]
* = host=${hostname} port=${port} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${SESSIONS}
max_client_conn = 500
`,
  )
  const owner = findOwner()
  if (owner !== undefined) for (const path of [folder, settings]) chownSync(path, owner.uid, owner.gid)
  const child = spawn(program, ['-q', settings], { ...owner, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  child.stdout.on('data', (piece) => (printed += piece))
  child.stderr.on('data', (piece) => (printed += piece))
  await untilListening(listenPort, child, () => printed)
  return {
    url: `postgres://${username}@127.0.0.1:${listenPort}${pathname}`,
    stop: () => {
      child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function untilListening(port: number, child: ChildProcess, printed: () => string): Promise<void> {
  for (let tries = 0; tries < 400 && child.exitCode === null; tries++) {
    if (await isListening(port)) return
    await new Promise((wake) => setTimeout(wake, 25))
  }
  throw new Error(`PgBouncer did not start: ${printed()}`)
}
