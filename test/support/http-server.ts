import { onTestFinished } from 'vitest'
import { type Memory, type OpenOptions, openMemory } from '../../src/index.ts'
import { type RunningServer, type ServerOptions, startServer } from '../../src/server/start-server.ts'
import { temporaryPath } from './temporary-folder.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed JSON body. */
  readonly body: ReturnType<typeof JSON.parse>
}

export interface Asked {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly key?: string
}

export type Ask = (method: string, path: string, asked?: Asked) => Promise<Answer>

/** A JSON client for a server. */
export function askAt(url: string, standing: Asked = {}): Ask {
  return async (method, path, asked = {}) => {
    const { body, headers, key } = { ...standing, ...asked }
    const isText = typeof body === 'string' || body instanceof Uint8Array
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...standing.headers,
        ...headers,
      },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    })
    return toAnswer(response)
  }
}

export async function toAnswer(response: Response): Promise<Answer> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  }
}

export interface Served {
  readonly memory: Memory
  readonly server: RunningServer
  readonly ask: Ask
}

/** A server in this process on a free port, with a memory in a file; both are removed after the test. */
export async function serveTemporary(options: ServerOptions = {}, open: OpenOptions = {}): Promise<Served> {
  const memory = await openMemory(temporaryPath(), open)
  onTestFinished(() => memory.close())
  const server = await startServer(memory, { port: 0, ...options })
  onTestFinished(() => server.close())
  return { memory, server, ask: askAt(server.url) }
}
