// Sample data for the cases about recall.

import assert from 'node:assert/strict'
import {
  type ConversationKey,
  type FoundLocators,
  type MessageLocator,
  messageId,
  type Store,
  type TimeLookup,
  type VectorLookup,
  type WordLookup,
  type WorkspaceId,
} from 'recollect/store'
import { mustCommit } from './derived-samples.ts'
import { aKey, aMessage, append, HERE } from './samples.ts'

/** Messages by id with their text, in one conversation. */
export const say = (
  store: Store,
  words: Readonly<Record<string, string>>,
  key: ConversationKey = aKey('trip'),
): Promise<unknown> =>
  append(store, key, { messages: Object.entries(words).map(([id, text]) => aMessage(id, text)) })

/** One word for each group, or the groups themselves. */
export function findWords(
  store: Store,
  words: string | WordLookup['allOf'],
  more: Partial<WordLookup> = {},
): Promise<FoundLocators> {
  const allOf = typeof words === 'string' ? words.split(' ').map((word) => [word]) : words
  return store.findByWords({ workspace: HERE, limit: 100, ...more, allOf })
}

export function findTimes(store: Store, lookup: Partial<TimeLookup>): Promise<FoundLocators> {
  return store.findByTime({ workspace: HERE, limit: 100, ...lookup })
}

export async function idsAt(
  store: Store,
  places: readonly MessageLocator[],
  workspace: WorkspaceId = HERE,
): Promise<readonly string[]> {
  return (await store.getMessageMeta(workspace, places)).map(({ id }) => id)
}

/** The ids at the locators; each must belong to the workspace and have a message. */
async function idsOfFound(
  store: Store,
  places: readonly MessageLocator[],
  workspace: WorkspaceId = HERE,
): Promise<readonly string[]> {
  const ids = await idsAt(store, places, workspace)
  assert.equal(ids.length, places.length, 'some of the locators have no message in the workspace')
  return ids
}

/** The ids of the messages with these words, in the order found. Checks the count too. */
export async function findWordIds(
  store: Store,
  words: string | WordLookup['allOf'],
  more: Partial<WordLookup> = {},
): Promise<readonly string[]> {
  const { locators, count } = await findWords(store, words, more)
  assert.equal(count, locators.length, 'all were found, and the count is another')
  return idsOfFound(store, locators, more.workspace)
}

export async function findTimeIds(store: Store, lookup: Partial<TimeLookup>): Promise<readonly string[]> {
  const { locators, count } = await findTimes(store, lookup)
  assert.equal(count, locators.length, 'all were found, and the count is another')
  return idsOfFound(store, locators, lookup.workspace)
}

/** The ids of the messages nearest to a vector, best first. */
export async function findNearIds(
  store: Store,
  vector: readonly number[],
  more: Partial<VectorLookup> = {},
): Promise<readonly string[]> {
  const found = await store.findNearest({
    workspace: HERE,
    deriver: 'reader',
    limit: 100,
    leastSimilarity: -1,
    ...more,
    vector: Float32Array.from(vector),
  })
  return idsOfFound(
    store,
    found.map(({ place }) => place),
    more.workspace,
  )
}

export async function placeOfId(
  store: Store,
  id: string,
  workspace: WorkspaceId = HERE,
): Promise<MessageLocator | undefined> {
  return (await store.locate(workspace, [messageId(id)]))[0]
}

/** Messages with one vector each, read by "reader". */
export async function sayVectors(
  store: Store,
  vectors: Readonly<Record<string, readonly number[]>>,
  key: ConversationKey = aKey('trip'),
): Promise<void> {
  const entries = Object.entries(vectors)
  await append(store, key, { messages: entries.map(([id]) => aMessage(id)) })
  const readings = entries.map(([, vector], position) => ({
    position,
    topic: 0,
    ...(vector.length > 0 && { vector: Float32Array.from(vector) }),
  }))
  await mustCommit(store, { ...key, deriver: 'reader' }, { cursor: entries.length, readings })
}
