// Authenticates a request and chooses its workspace. The workspace comes from the API key; only admins may
// name another.

import type { Key, KeyScope, Memory, Workspace } from '../../index.ts'
import { HttpError } from '../http-error.ts'
import { isLoopback, type ResolvedServerOptions } from '../server-options.ts'
import type { RateLimit } from './rate-limit.ts'

/** The scope that a route requires. */
export type Scope = 'public' | KeyScope

export interface Caller {
  readonly memory: Workspace
  readonly scope: KeyScope
  /** The id of the API key that was sent. */
  readonly keyId?: string
}

export interface Entrance {
  readonly memory: Memory
  readonly options: ResolvedServerOptions
  readonly rateLimit: RateLimit
}

interface Visit {
  readonly request: Request
  /** The client's IP address; missing for requests made in this process. */
  readonly address: string | undefined
  readonly scope: Scope
  /** The Authorization value, for routes that read it from somewhere else. */
  readonly shown?: string | null
}

const GRANTS: Readonly<Record<KeyScope, readonly Scope[]>> = {
  metrics: ['metrics'],
  read: ['read'],
  write: ['read', 'write'],
  admin: ['metrics', 'read', 'write', 'admin'],
}

export async function admit(entrance: Entrance, visit: Visit): Promise<Caller> {
  const { memory } = entrance
  if (visit.scope === 'public') {
    limitRate(entrance, visit, undefined)
    return { memory, scope: 'read' }
  }
  const key = await findKey(entrance, visit)
  limitRate(entrance, visit, key)
  const scope = key?.scope ?? 'admin'
  if (!GRANTS[scope].includes(visit.scope)) {
    throw new HttpError('forbidden', `this needs a key with the scope ${visit.scope}; yours has ${scope}`, {
      hint: `recollect keys create --scope ${visit.scope}`,
    })
  }
  const workspace = chooseWorkspace(visit.request, { own: key?.workspace ?? memory.workspaceId, scope })
  const own = workspace === memory.workspaceId ? memory : memory.workspace(workspace)
  return { memory: own, scope, ...(key && { keyId: key.id }) }
}

/** Undefined for local requests when no key is required. */
async function findKey({ memory, options }: Entrance, { request, shown }: Visit): Promise<Key | undefined> {
  const given = shown === undefined ? request.headers.get('authorization') : shown
  if (given === null) {
    if (!options.requireKey && !isForwarded(request)) return undefined
    throw unauthorized(
      'a key is needed',
      'send it as  Authorization: Bearer <key>; recollect keys create makes one',
    )
  }
  const text = /^Bearer +(\S+) *$/i.exec(given)?.[1]
  const key = text === undefined ? undefined : await memory.keys.verify(text)
  if (key === undefined)
    throw unauthorized('this key is not known', 'was it revoked? recollect keys list shows them')
  return key
}

/** Forwarded requests are not local, even if the proxy runs on this machine. */
const isForwarded = ({ headers }: Request): boolean =>
  headers.has('x-forwarded-for') || headers.has('forwarded')

const unauthorized = (message: string, hint: string): HttpError =>
  new HttpError('unauthorized', message, { hint, headers: { 'www-authenticate': 'Bearer' } })

/** Local requests without a key are not limited: the limit would only slow down the user's own scripts. */
function limitRate({ rateLimit }: Entrance, { address }: Visit, key: Key | undefined): void {
  if (key === undefined && (address === undefined || isLoopback(address))) return
  const seconds = rateLimit.take(key?.id ?? `address ${address}`, Date.now())
  if (seconds === undefined) return
  throw new HttpError('too-many-requests', 'too many requests', {
    hint: `come again in ${seconds} s; the option requestsPerSecond of the server says how many`,
    headers: { 'retry-after': String(seconds) },
  })
}

function chooseWorkspace(request: Request, { own, scope }: { own: string; scope: KeyScope }): string {
  const header = request.headers.get('x-recollect-workspace')
  if (header === null) return own
  const named = decodeName(header)
  if (named === own || scope === 'admin') return named
  throw new HttpError('forbidden', `this key belongs to another workspace than "${named}"`, {
    hint: 'leave the header out; only a key with the scope admin may name a workspace',
  })
}

/** Headers cannot carry characters beyond Latin-1, so other names are percent-encoded. */
function decodeName(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    throw new HttpError('invalid-input', `X-Recollect-Workspace is not well encoded: ${String(cause)}`)
  }
}
