// Blocks are damaged on purpose, in their bytes and in the pages that contain them. Whatever happens to one block,
// every other message stays readable, and everything returned as readable is exact.

import { closeSync, openSync, writeSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  aKey,
  aMessage,
  append,
  aTerm,
  at,
  findIds,
  findProblems,
  fork,
  HERE,
  needMessage,
  readAll,
  upTo,
} from '../../../conformance/store/samples.ts'
import { SeededRandom } from '../../../test/support/seeded-random.ts'
import { openPlain, openStore, runPlain } from '../../../test/support/sqlite-file.ts'
import { temporaryPath } from '../../../test/support/temporary-folder.ts'
import { messageId } from '../../domain/ids.ts'
import type { Message } from '../../domain/message.ts'
import type { Store } from '../store.ts'

const trip = aKey('trip')
const COMPRESSED = 90
const LIVE = 10

interface Talk {
  readonly path: string
  readonly store: Store
  readonly before: readonly Message[]
}

/** Two blocks of 45 messages and ten uncompressed messages, in a store that has not read any of them yet. */
async function openTalk(words = 40): Promise<Talk> {
  const path = temporaryPath()
  const store = await openStore({ path })
  const random = new SeededRandom(1)
  const vocabulary = upTo(600).map(() => random.letters(2 + random.below(8)))
  const messages = upTo(COMPRESSED + LIVE).map((i) => {
    const said = upTo(words).map(() => random.pick(vocabulary))
    return aMessage(`m${i}`, `number${i} ${said.join(' ')}`, i % 4 === 0 ? { metadata: { i } } : {})
  })
  await append(store, trip, { messages })
  const before = await readAll(store, trip)
  for (const half of [0, 45]) {
    await store.compress(
      trip,
      upTo(45).map((i) => half + i),
    )
  }
  await store.close()
  return { path, store: await openStore({ path }), before }
}

/** Overwrites bytes of the first block, starting at a fraction of its length. */
function damage(path: string, share: number, bytes = 30): void {
  const plain = openPlain(path)
  const row = plain.prepare('SELECT number, body FROM block ORDER BY number').get() as {
    number: number
    body: Uint8Array
  }
  const body = Buffer.from(row.body)
  const from = Math.floor(body.length * share)
  body.fill(0xa5, from, from + bytes)
  plain.prepare('UPDATE block SET body = ? WHERE number = ?').run(body, row.number)
  plain.close()
}

/** Expects all other messages unchanged, and damaged ones blank with their position and role. */
function expectRestExact(after: readonly Message[], before: readonly Message[]): readonly number[] {
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
  const damaged = after.filter(({ isDamaged }) => isDamaged)
  for (const [i, message] of after.entries()) {
    const { metadata: _, ...rest } = before[i] as Message
    expect(message).toEqual(message.isDamaged ? { ...rest, content: '', isDamaged: true } : before[i])
  }
  return damaged.map(({ position }) => position)
}

const damagedIn = async (store: Store) => (await findProblems(store)).map(({ problem }) => problem)

describe('a damaged block', () => {
  test('loses only the messages after the damage', async () => {
    const { path, store, before } = await openTalk()
    damage(path, 0.5)
    const damaged = expectRestExact(await readAll(store, trip), before)
    expect(damaged.length).toBeGreaterThan(5)
    expect(damaged[0]).toBeGreaterThan(10)
    expect(damaged.at(-1)).toBe(44)
    for (const { id } of before) {
      const message = await needMessage(store, id)
      expect(message.isDamaged ?? false).toBe(damaged.includes(message.position))
    }
  })

  test.each([0, 0.001, 0.02, 0.1, 0.3, 0.6, 0.9, 0.99])(
    'is read as far as possible: damage at %d',
    async (share) => {
      const { path, store, before } = await openTalk()
      damage(path, share)
      const damaged = expectRestExact(await readAll(store, trip), before)
      expect(damaged.length).toBeGreaterThan(0)
      expect(damaged.every((position) => position < 45)).toBe(true)
    },
  )

  test('is reported by a check, with what is still readable and how to fix it', async () => {
    const { path, store } = await openTalk()
    damage(path, 0.5)
    const readable = (await readAll(store, trip)).slice(0, 45).filter(({ isDamaged }) => !isDamaged).length
    expect(await findProblems(store)).toEqual([
      {
        check: 'every compressed message can be read',
        problem: `a block of "trip" in workspace "here" is damaged: ${readable} of its 45 messages can still be read`,
        remedy: expect.stringContaining('backup'),
      },
    ])
  })

  test('does not prevent its messages from being found, nor others from being compressed', async () => {
    const { path, store, before } = await openTalk()
    damage(path, 0.5)
    expect(await findIds(store, 'number44')).toEqual(['m44'])
    expect(await findIds(store, 'number3')).toEqual(['m3'])
    expect((await store.compress(trip, upTo(100))).messages).toBe(LIVE)
    expectRestExact(await readAll(store, trip), before)
  })

  test('is unchanged by a rebuild, and a fork copies what is readable', async () => {
    const { path, store, before } = await openTalk()
    damage(path, 0.5)
    const problems = await damagedIn(store)
    await store.rebuild()
    expect(await damagedIn(store)).toEqual(problems)
    expectRestExact(await readAll(store, trip), before)
    await fork(store, trip, { at: 99, into: 'branch' })
    const marks = async (conversation: string) =>
      (await readAll(store, aKey(conversation))).map(({ content, isDamaged }) => [content, isDamaged])
    expect(await marks('branch')).toEqual(await marks('trip'))
    expect(await damagedIn(store)).toHaveLength(2)
  })

  test('accepts a retry of its messages, and rejects one with another role', async () => {
    const { path, store, before } = await openTalk()
    damage(path, 0.5)
    const { conversationId: _, position: __, tokensBefore: ___, ...original } = before[44] as Message
    const { added, messages } = await append(store, trip, { messages: [original] })
    expect([added, messages[0]?.isDamaged]).toEqual([0, true])
    const other = append(store, trip, { messages: [{ ...original, role: 'assistant' }] })
    await expect(other).rejects.toMatchObject({ code: 'conflict' })
  })

  test('is removed by erasing the unreadable messages', async () => {
    const { path, store, before } = await openTalk()
    damage(path, 0.5)
    const damaged = expectRestExact(await readAll(store, trip), before)
    for (const position of damaged) await store.eraseMessage(HERE, messageId(`m${position}`), at(9))
    expect(await findProblems(store)).toEqual([])
    expect(await findIds(store, 'number44')).toEqual([])
    const after = await readAll(store, trip)
    expect(after.filter(({ erasedAt }) => erasedAt)).toHaveLength(damaged.length)
    expect(after.filter(({ content }) => content !== '').map(({ content }) => content)).toEqual(
      before.filter(({ position }) => !damaged.includes(position)).map(({ content }) => content),
    )
  })

  test('is deleted with its conversation, and its words are removed from the index', async () => {
    const { path, store } = await openTalk()
    await append(store, aKey('other'), { messages: upTo(2000).map((i) => aMessage(`o${i}`, `other${i}`)) })
    damage(path, 0.5)
    expect((await store.eraseConversations([trip])).isScrubbed).toBe(true)
    expect(await findIds(store, [aTerm('number', true)])).toEqual([])
    expect(await findIds(store, 'other7')).toEqual(['o7'])
    expect(await findProblems(store)).toEqual([])
  })
})

test('content stored both in a block and in its message row is reported', async () => {
  const { path, store } = await openTalk()
  runPlain(path, `UPDATE message SET content = '"twice"' WHERE position = 3`)
  expect((await findProblems(store)).map(({ check }) => check)).toEqual(['every message can be read'])
})

describe('a missing block', () => {
  test('loses only its own messages', async () => {
    const { path, store, before } = await openTalk()
    runPlain(path, 'DELETE FROM block WHERE number = (SELECT min(number) FROM block)')
    expect(expectRestExact(await readAll(store, trip), before)).toEqual(upTo(45))
    expect(await damagedIn(store)).toEqual([
      'the text of 45 messages of "trip" in workspace "here" is missing',
    ])
  })

  test('or one with wrong positions loses only its own messages', async () => {
    const { path, store, before } = await openTalk()
    runPlain(path, "UPDATE block SET positions = '0-40' WHERE number = (SELECT min(number) FROM block)")
    expect(expectRestExact(await readAll(store, trip), before)).toEqual(upTo(45))
    expect(await damagedIn(store)).toEqual([
      'a block of "trip" in workspace "here" is damaged: 0 of its 45 messages can still be read',
      'a block of "trip" in workspace "here" does not contain exactly its own messages',
    ])
  })
})

describe('a page of the block table', () => {
  /** Overwrites a page of the block table while the file is closed. */
  async function damagePage({ from, bytes }: { from: number; bytes: Buffer }): Promise<Talk> {
    const talk = await openTalk(200)
    await talk.store.close()
    const plain = openPlain(talk.path)
    plain.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    const pages = plain
      .prepare(`SELECT pageno FROM dbstat WHERE name = 'block' AND pagetype = 'overflow'`)
      .all()
    plain.close()
    const { pageno } = pages[1] as { pageno: number }
    const file = openSync(talk.path, 'r+')
    writeSync(file, bytes, 0, bytes.length, (pageno - 1) * 4096 + from)
    closeSync(file)
    return { ...talk, store: await openStore({ path: talk.path }) }
  }

  test('with overwritten bytes loses the messages after them', async () => {
    const { store, before } = await damagePage({ from: 100, bytes: Buffer.alloc(500, 7) })
    const damaged = expectRestExact(await readAll(store, trip), before)
    expect(damaged.length).toBeGreaterThan(0)
    expect((await damagedIn(store)).join()).toContain('can still be read')
  })

  test('with a broken pointer loses the messages of the block', async () => {
    const { store, before } = await damagePage({ from: 0, bytes: Buffer.alloc(4, 0xff) })
    const damaged = expectRestExact(await readAll(store, trip), before)
    expect(damaged).toHaveLength(45)
    expect((await damagedIn(store)).length).toBeGreaterThan(1)
  })
})
