import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Ask, askAt } from './http-server.ts'
import { temporaryFolder } from './temporary-folder.ts'

const MAIN = join(import.meta.dirname, '../../dist/cli/main.js')

export interface ServerProcess {
  readonly url: string
  readonly ask: Ask
  readonly path: string
  readonly process: ChildProcess
  /** Its output so far. */
  readonly printed: () => string
  /** Sends a signal and waits for the exit; returns the exit code or the signal. */
  readonly end: (signal?: NodeJS.Signals) => Promise<number | string | null>
}

interface ServerSettings {
  readonly words?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly path?: string
}

/** The built command line, `recollect serve`, on a free port. */
export async function spawnServer({
  words = [],
  env = {},
  path,
}: ServerSettings = {}): Promise<ServerProcess> {
  const file = path ?? join(temporaryFolder(), 'memory.db')
  const child = spawn(process.execPath, [MAIN, 'serve', ...words], {
    env: { ...process.env, NO_COLOR: '1', RECOLLECT_DB: file, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  child.stdout.on('data', (piece) => (printed += piece))
  child.stderr.on('data', (piece) => (printed += piece))
  const ended = new Promise<number | string | null>((resolve) =>
    child.once('exit', (code, signal) => resolve(code ?? signal)),
  )
  const end = (signal: NodeJS.Signals = 'SIGTERM') => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    return ended
  }
  onTestFinished(async () => void (await end('SIGKILL')))
  const url = await waitForUrl(() => printed, child)
  return { url, ask: askAt(url), path: file, process: child, printed: () => printed, end }
}

async function waitForUrl(printed: () => string, child: ChildProcess): Promise<string> {
  for (let tries = 0; tries < 3600; tries++) {
    const url = /is listening on (http:\S+)/.exec(printed())?.[1]
    if (url !== undefined) return url
    if (child.exitCode !== null) break
    await new Promise((wake) => setTimeout(wake, 25))
  }
  throw new Error(`the server did not start: ${printed()}`)
}
