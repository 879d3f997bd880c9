import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { newId } from '../domain/ids.ts'
import { KEY_SCOPES, type Key, type KeyScope } from '../domain/key.ts'
import { acceptName } from '../record/accept-id.ts'
import { acceptChoice, acceptObject } from '../record/accept-object.ts'
import type { WorkspaceDeps } from '../record/record.ts'
import type { StoredKey } from '../store/key-store.ts'

export interface KeyOptions {
  /** What it is for. @default "key" */
  readonly name?: string
  /** @default "write" */
  readonly scope?: KeyScope
}

/** A key that was just made. */
export interface NewKey extends Key {
  /** The key itself: told now, and kept nowhere. */
  readonly key: string
}

/** Keys to a workspace, for doors that others can reach. */
export interface KeysHandle {
  create(options?: KeyOptions): Promise<NewKey>
  /** Those of the workspace, oldest first; with `everywhere` those of every workspace in the store. */
  list(options?: { readonly everywhere?: boolean }): Promise<readonly Key[]>
  /** Whether there was one. It opens nothing from now on. */
  revoke(id: string): Promise<boolean>
  /** Which key it is, of whatever workspace; undefined for one that was revoked or never was. */
  check(key: string): Promise<Key | undefined>
}

/** Told apart at a glance from keys of others, by people and by programs that look for lost secrets. */
const PATTERN = /^recollect_([0-9a-z]{26})_[\w-]{43}$/
/** Every use would be a write; nobody needs to know it to the second. */
const NOTE_EVERY_MS = 60_000

export function openKeys(recorder: WorkspaceDeps): KeysHandle {
  const { store, workspace } = recorder
  return {
    create: (options) => createKey(recorder, options),
    list: async ({ everywhere = false } = {}) =>
      (await store.listKeys(everywhere ? undefined : workspace)).map(withoutDigest),
    revoke: async (id) => store.deleteKey(workspace, acceptKeyId(id, recorder)),
    check: (key) => checkKey(recorder, key),
  }
}

const acceptKeyId = (id: unknown, { limits }: WorkspaceDeps): string =>
  acceptName(id, { what: 'the id of a key', most: limits.idCharacters })

async function createKey(recorder: WorkspaceDeps, options: KeyOptions = {}): Promise<NewKey> {
  acceptObject(options, { what: 'a key', fields: ['name', 'scope'] })
  const { name = 'key', scope = 'write' } = options
  const { store, workspace, limits, now } = recorder
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

async function checkKey({ store, now }: WorkspaceDeps, key: string): Promise<Key | undefined> {
  const id = PATTERN.exec(key)?.[1]
  if (id === undefined) return undefined
  const found = await store.findKey(id)
  // As long for an id that is not there as for one that is.
  const isSame = timingSafeEqual(Buffer.from(digestOf(key)), Buffer.from(found?.digest ?? digestOf('')))
  if (found === undefined || !isSame) return undefined
  const moment = now()
  if (moment.getTime() - (found.lastUsedAt?.getTime() ?? 0) >= NOTE_EVERY_MS) {
    // Nobody waits for it, and a full disk must not keep the holder of a key from reading.
    store.noteKeyUse(id, moment).catch(() => undefined)
  }
  return withoutDigest(found)
}

const digestOf = (key: string): string => createHash('sha256').update(key).digest('hex')

const withoutDigest = ({ digest: _, ...key }: StoredKey): Key => key
