import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { newId } from '../domain/ids.ts'
import { KEY_SCOPES, type Key, type KeyScope } from '../domain/key.ts'
import { acceptChoice, acceptName, acceptObject } from '../record/accept.ts'
import type { WorkspaceDeps } from '../record/record.ts'
import type { StoredKey } from '../store/key-store.ts'
import { type PageOptions, type PaginatedList, paginateArray } from './paginate.ts'

export interface KeyOptions {
  /** What it is for. @default "key" */
  readonly name?: string
  /** @default "write" */
  readonly scope?: KeyScope
}

/** A new key. */
export interface NewKey extends Key {
  /** The key itself. It is returned only now; the store keeps a digest. */
  readonly key: string
}

export interface KeyListOptions extends PageOptions {
  /** Lists the keys of every workspace in the store. @default false */
  readonly allWorkspaces?: boolean
}

/**
 * API keys of a workspace, for the HTTP server: `memory.keys`.
 *
 * @example
 * const { id, key } = await memory.keys.create({ name: 'laptop', scope: 'read' })
 * const found = await memory.keys.verify(key) // { id, workspace, scope, … }
 * await memory.keys.delete(id)
 */
export interface Keys {
  /** Returns the key itself, which is stored nowhere. */
  create(options?: KeyOptions): Promise<NewKey>
  /** Oldest first. */
  list(options?: KeyListOptions): PaginatedList<Key>
  /** Revokes a key. True if there was one. */
  delete(id: string): Promise<boolean>
  /** The key's name, scope and workspace, whichever workspace that is; undefined if it is unknown or revoked. */
  verify(key: string): Promise<Key | undefined>
}

/** The prefix makes keys easy to recognize, for people and for secret scanners. */
const PATTERN = /^recollect_([0-9a-z]{26})_[\w-]{43}$/
/** A write per use would be too expensive; accuracy to the minute is enough. */
const NOTE_EVERY_MS = 60_000

export function createKeys(deps: WorkspaceDeps): Keys {
  const { store, workspace } = deps
  return {
    create: (options) => createKey(deps, options),
    list: ({ allWorkspaces = false, ...page } = {}) =>
      paginateArray(
        async () => (await store.listKeys(allWorkspaces ? undefined : workspace)).map(withoutDigest),
        page,
        ({ id }) => id,
      ),
    delete: async (id) => store.deleteKey(workspace, acceptKeyId(id, deps)),
    verify: (key) => verifyKey(deps, key),
  }
}

const acceptKeyId = (id: unknown, { limits }: WorkspaceDeps): string =>
  acceptName(id, { what: 'the id of a key', most: limits.idCharacters })

async function createKey(deps: WorkspaceDeps, options: KeyOptions = {}): Promise<NewKey> {
  acceptObject(options, { what: 'a key', fields: ['name', 'scope'] })
  const { name = 'key', scope = 'write' } = options
  const { store, workspace, limits, now } = deps
  const createdAt = now()
  const id = newId(createdAt)
  const key = `recollect_${id}_${randomBytes(32).toString('base64url')}`
  const made: Key = {
    id,
    workspace,
    name: acceptName(name, { what: 'the name of a key', most: limits.idCharacters }),
    scope: acceptChoice(scope, { what: 'the scope of a key', choices: KEY_SCOPES }),
    createdAt,
  }
  await store.addKey({ ...made, digest: digestOf(key) })
  return { ...made, key }
}

async function verifyKey({ store, now }: WorkspaceDeps, key: string): Promise<Key | undefined> {
  const id = PATTERN.exec(key)?.[1]
  if (id === undefined) return undefined
  const found = await store.findKey(id)
  // Constant time, whether or not the id exists.
  const isSame = timingSafeEqual(Buffer.from(digestOf(key)), Buffer.from(found?.digest ?? digestOf('')))
  if (found === undefined || !isSame) return undefined
  const moment = now()
  if (moment.getTime() - (found.lastUsedAt?.getTime() ?? 0) >= NOTE_EVERY_MS) {
    // Not awaited: a full disk must not keep a valid key from reading.
    store.noteKeyUse(id, moment).catch(() => undefined)
  }
  return withoutDigest(found)
}

const digestOf = (key: string): string => createHash('sha256').update(key).digest('hex')

const withoutDigest = ({ digest: _, ...key }: StoredKey): Key => key
