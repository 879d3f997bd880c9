// Conversations in which some messages are compressed.

import assert from 'node:assert/strict'
import type { AcceptedMessage, ConversationKey, Store } from 'recollect/store'
import { aKey, aMessage, append, aTerm, at, readAll, readWorkspace, upTo } from './samples.ts'

export const trip: ConversationKey = aKey('trip')

/** Messages long enough to shrink when compressed, each with distinct words. */
export function aTalk(prefix: string, count: number): readonly AcceptedMessage[] {
  const said = (i: number) => `this is what was said about the weather as number${i} of ${prefix}`
  const tool = (i: number) =>
    [
      { type: 'tool-result', toolCallId: `c${i}`, output: { said: said(i), nul: '\u0000', faces: '😀' } },
    ] as const
  return upTo(count).map((i) =>
    aMessage(`${prefix}${i}`, i % 5 === 4 ? tool(i) : said(i), {
      role: i % 7 === 6 ? 'system' : 'user',
      createdAt: at(-i),
      ...(i % 3 === 0 && { name: 'Zoë', importance: 0.3, metadata: { mood: `calm ${i}`, list: [i, null] } }),
    }),
  )
}

interface CompressedTalk {
  readonly messages?: number
  readonly compressed?: number
  readonly key?: ConversationKey
}

/** A conversation whose first messages are compressed. */
export async function openCompressed(
  store: Store,
  { messages = 20, compressed = 15, key = trip }: CompressedTalk = {},
): Promise<void> {
  await append(store, key, { messages: aTalk('m', messages), appendKey: 'k' })
  assert.equal((await store.compress(key, upTo(compressed))).messages, compressed)
}

/** Everything that can be read of a workspace, except how it is stored. */
export async function look(store: Store, key: ConversationKey = trip): Promise<unknown> {
  const { counts, ...read } = (await readWorkspace(store, key.workspace)) as { counts: object }
  const { compressedMessages: _, savedBytes: __, ...rest } = counts as Record<string, number>
  const messages = await readAll(store, key)
  const search = (words: string) =>
    store.searchMessages({ workspace: key.workspace, terms: [aTerm(words)], limit: 7 })
  return {
    ...read,
    counts: rest,
    ids: await store.messageIds({ ...key, limit: 100 }),
    system: await store.systemMessages(key),
    single: await Promise.all(messages.map(({ id }) => store.findMessage(key.workspace, id))),
    middle: await store.messages({ ...key, after: 4, before: 17, limit: 9, direction: 'backwards' }),
    found: [await search('weather'), await search('number3'), await search('said as'), await search('calm')],
  }
}
