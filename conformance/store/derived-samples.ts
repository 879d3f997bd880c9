// Sample data for the cases about derivations, jobs and edits, with defaults for everything a case does not care
// about.

import assert from 'node:assert/strict'
import {
  type ClaimRequest,
  type ConversationKey,
  type DerivationCommit,
  type DerivationKey,
  type DerivedItem,
  type DerivedKind,
  type Edit,
  type EditList,
  type ItemList,
  type Job,
  type JobTicket,
  type MessageAnnotation,
  type MessageId,
  messageId,
  type NewEdit,
  type NewJob,
  type ReadingList,
  type SaveEditOptions,
  type Store,
  type StoredItem,
  type WorkspaceId,
} from 'recollect/store'
import { aKey, append, at, HERE, many, upTo } from './samples.ts'

/** The derivation of a conversation by the deriver that most cases use. */
export const readingOf = (key: ConversationKey): DerivationKey => ({ ...key, deriver: 'reader' })

/** Values between -1 and 1 that depend on the seed. */
export function aVector(seed: number, dimensions = 8): Float32Array {
  return Float32Array.from(upTo(dimensions), (i) => Math.sin(seed * 12.9898 + i * 78.233))
}

export function anItem(key: string, more: Partial<DerivedItem> = {}): DerivedItem {
  return {
    kind: 'statement',
    key,
    body: { says: `what ${key} says` },
    sources: [messageId('m0')],
    madeBy: 'sample/1',
    madeAt: at(3),
    tokens: 5,
    ...more,
  }
}

/** One reading for each message, all with the same topic. */
export function manyReadings(count: number): readonly MessageAnnotation[] {
  return upTo(count).map((position) => ({ position, topic: 0, vector: aVector(position) }))
}

/** Commits the first generation as the active one, unless `more` overrides it. */
export async function commit(
  store: Store,
  key: DerivationKey,
  more: Partial<DerivationCommit> = {},
): Promise<boolean> {
  const erasureVersion = await store.erasureVersion(key.workspace)
  return store.commitDerivation({
    generation: 1,
    version: 'v1',
    revision: 0,
    cursor: 1,
    state: null,
    isActive: true,
    now: at(4),
    erasureVersion,
    ...key,
    ...more,
  })
}

/** A commit that must succeed. */
export async function mustCommit(
  store: Store,
  key: DerivationKey,
  more: Partial<DerivationCommit> = {},
): Promise<void> {
  assert.equal(await commit(store, key, more), true, 'the commit was refused')
}

export function itemsOf(
  store: Store,
  list: Partial<ItemList> & { readonly kind?: DerivedKind } = {},
): Promise<readonly StoredItem[]> {
  return store.derivedItems({ workspace: HERE, deriver: 'reader', kind: 'statement', ...list })
}

export async function itemKeys(store: Store, list: Partial<ItemList> = {}): Promise<readonly string[]> {
  return (await itemsOf(store, list)).map(({ key }) => key)
}

export function readingsOf(
  store: Store,
  key: ConversationKey,
  list: Partial<ReadingList> = {},
): Promise<readonly MessageAnnotation[]> {
  return store.readings({ ...readingOf(key), limit: 1000, withVectors: true, ...list })
}

export async function readingPositions(
  store: Store,
  key: ConversationKey,
  list: Partial<ReadingList> = {},
): Promise<readonly number[]> {
  return (await readingsOf(store, key, list)).map(({ position }) => position)
}

export function itemsVersion(store: Store, workspace: WorkspaceId = HERE): Promise<string> {
  return store.itemsVersion({ workspace, kind: 'statement' })
}

export function aJob(key: string, more: Partial<NewJob> = {}): NewJob {
  return { kind: 'sum-up', key, body: { about: key }, ...more }
}

let leases = 0

/** Claims a job and returns it with its ticket. */
export async function claim(
  store: Store,
  minutes: number,
  more: Partial<ClaimRequest> = {},
): Promise<(Job & JobTicket) | undefined> {
  const request = { now: at(minutes), lease: `lease ${leases++}`, leaseMs: 10 * 60_000, ...more }
  const job = await store.claimJob(request)
  return job && { ...job, lease: request.lease }
}

export async function mustClaim(
  store: Store,
  minutes: number,
  more: Partial<ClaimRequest> = {},
): Promise<Job & JobTicket> {
  const job = await claim(store, minutes, more)
  assert.ok(job, 'no job could be claimed')
  return job
}

export async function jobKeys(store: Store, workspace: WorkspaceId = HERE): Promise<readonly string[]> {
  return (await store.jobs({ workspace, limit: 1000 })).map(({ key }) => key)
}

export function anEdit(key: string, more: Partial<NewEdit> = {}): NewEdit {
  return { kind: 'note', key, body: { says: `what ${key} says` }, ...more }
}

export function saveEdit(
  store: Store,
  edit: NewEdit,
  { workspace = HERE, ...more }: Partial<SaveEditOptions> & { readonly workspace?: WorkspaceId } = {},
): Promise<Edit> {
  return store.saveEdit(workspace, edit, { now: at(6), ...more })
}

export async function editKeys(store: Store, list: Partial<EditList> = {}): Promise<readonly string[]> {
  return (await store.edits({ workspace: HERE, ...list })).map(({ key }) => key)
}

export const sourcesOf = (...ids: readonly string[]): { readonly sources: readonly MessageId[] } => ({
  sources: ids.map(messageId),
})

/** Collects versions, and fails if two states have the same one. */
export class Versions {
  readonly #seen = new Map<string, string>()

  add(version: string, after: string): void {
    assert.equal(this.#seen.get(version), undefined, `the version after ${after} is not new`)
    this.#seen.set(version, after)
  }
}

/** Two conversations with five messages each. */
export async function fillTwo(store: Store): Promise<void> {
  await append(store, aKey('trip'), { messages: many('m', 5) })
  await append(store, aKey('other'), { messages: many('o', 5) })
}

/** A conversation with five messages, all read, and a waiting job. */
export async function fillDerived(store: Store, key: ConversationKey, prefix: string): Promise<void> {
  await append(store, key, { messages: many(prefix, 5) })
  await derive(store, key)
}

export async function derive(store: Store, key: ConversationKey): Promise<void> {
  await mustCommit(store, readingOf(key), {
    cursor: 5,
    readings: manyReadings(5),
    put: [anItem(key.conversation)],
    jobs: [aJob(key.conversation)],
  })
}

export async function expectNothing(store: Store, key: ConversationKey): Promise<void> {
  assert.deepEqual(await store.derivations(readingOf(key)), [])
  assert.deepEqual(await itemsOf(store, key), [])
  assert.deepEqual(await readingsOf(store, key), [])
  const keys = await jobKeys(store, key.workspace)
  assert.ok(!keys.includes(key.conversation), 'a job is left')
}
