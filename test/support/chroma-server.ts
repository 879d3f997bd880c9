// A real Chroma server from the package `chromadb`, on loopback and a free port, with its files in a temporary folder
// that is removed after the test. It is a library that Node loads; nothing is downloaded or sent anywhere.

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { findChromaLibrary } from './chroma-library.ts'

export interface ChromaServer {
  readonly url: string
  /** Simulates a crash. */
  kill(): Promise<void>
  /** Starts again with the same files at the same address. */
  restart(): Promise<void>
  /** While it is down. */
  deleteFiles(): void
  /** While it is down: copies the files, to be restored later. */
  readonly folder: string
}

/** The reason why Chroma cannot run here, or undefined. */
export function whyNoChroma(): string | undefined {
  try {
    findChromaLibrary()
    return undefined
  } catch (error) {
    return `there is no Chroma server for this machine: ${(error as Error).message}`
  }
}

const STARTED_WITHIN_MS = 60_000

/** Stopped after the test, unless the caller does so. */
export async function startChroma(
  onEnd: (stop: () => Promise<void>) => void = onTestFinished,
): Promise<ChromaServer> {
  const library = findChromaLibrary()
  const folder = mkdtempSync(join(tmpdir(), 'recollect-chroma-'))
  const data = join(folder, 'chroma')
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  const kill = async () => {
    const running = child
    child = undefined
    if (running === undefined || running.exitCode !== null) return
    const gone = new Promise((resolve) => running.once('exit', resolve))
    running.kill('SIGKILL')
    await gone
  }
  const start = async () => {
    mkdirSync(data, { recursive: true })
    const words = ['chroma', 'run', '--path', data, '--host', '127.0.0.1', '--port', String(port)]
    child = spawn(process.execPath, ['-e', RUN, library, ...words], {
      stdio: 'ignore',
      env: { PATH: process.env['PATH'], HOME: folder, ANONYMIZED_TELEMETRY: 'False' },
    })
    await waitFor(url, child)
  }
  onEnd(async () => {
    await kill()
    rmSync(folder, { recursive: true, force: true })
  })
  await start()
  return {
    url,
    folder: data,
    kill,
    restart: start,
    deleteFiles: () => rmSync(data, { recursive: true, force: true }),
  }
}

const RUN = 'const [library, ...words] = process.argv.slice(1); require(library).cli(words)'

async function waitFor(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + STARTED_WITHIN_MS
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`Chroma ended with ${child.exitCode}`)
    const isUp = await fetch(`${url}/api/v2/heartbeat`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('Chroma did not start in time')
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
