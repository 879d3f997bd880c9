// Blocks are damaged on purpose, in their bytes and in the pages that they lie on. Whatever happens to one,
// every other message is read as before, and what is given out as readable is exact.

import { closeSync, openSync, writeSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { SeededRandom } from '../../../test/support/seeded-random.ts'
import { openPlain, openStore, runPlain } from '../../../test/support/sqlite-file.ts'
import { temporaryPath } from '../../../test/support/temporary-folder.ts'
import { messageId } from '../../domain/ids.ts'
import type { Message } from '../../domain/message.ts'
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
} from '../conformance/samples.ts'
import type { Store } from '../store.ts'

const trip = aKey('trip')
const COMPRESSED = 90
const LIVE = 10

interface Talk {
  readonly path: string
  readonly store: Store
  readonly before: readonly Message[]
}

/** Two blocks of 45 messages and ten live ones, in a store that has not read any of them yet. */
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

/** Puts other bytes into the first block, from some share of it on. */
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

/** What became of the messages: all others as before, damaged ones blank with their place and speaker. */
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
  test('costs the messages behind the damage, and no other', async () => {
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
    'is read as far as it can be: damage at %d',
    async (share) => {
      const { path, store, before } = await openTalk()
      damage(path, share)
      const damaged = expectRestExact(await readAll(store, trip), before)
      expect(damaged.length).toBeGreaterThan(0)
      expect(damaged.every((position) => position < 45)).toBe(true)
    },
  )

  test('is named by a check with what can still be read, and with a remedy', async () => {
    const { path, store } = await openTalk()
    damage(path, 0.5)
    const readable = (await readAll(store, trip)).slice(0, 45).filter(({ isDamaged }) => !isDamaged).length
    expect(await findProblems(store)).toEqual([
      {
        check: 'every compressed message can be read',
        problem: `a block of "trip" in the workspace "here" is damaged: of its 45 messages, ${readable} can still be read`,
        remedy: expect.stringContaining('backup'),
      },
    ])
  })

  test('does not keep its messages from being found, nor others from being compressed', async () => {
    const { path, store, before } = await openTalk()
    damage(path, 0.5)
    expect(await findIds(store, 'number44')).toEqual(['m44'])
    expect(await findIds(store, 'number3')).toEqual(['m3'])
    expect((await store.compress(trip, upTo(100))).messages).toBe(LIVE)
    expectRestExact(await readAll(store, trip), before)
  })

  test('stays as it is through a rebuild, and a fork copies what can be read', async () => {
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

  test('takes a retry of what was in it, and refuses other speakers', async () => {
    const { path, store, before } = await openTalk()
    damage(path, 0.5)
    const { conversationId: _, position: __, tokensBefore: ___, ...original } = before[44] as Message
    const { added, messages } = await append(store, trip, { messages: [original] })
    expect([added, messages[0]?.isDamaged]).toEqual([0, true])
    const other = append(store, trip, { messages: [{ ...original, role: 'assistant' }] })
    await expect(other).rejects.toMatchObject({ code: 'conflict' })
  })

  test('can be got rid of by erasing what cannot be read', async () => {
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

  test('goes with its conversation, and its words leave the index', async () => {
    const { path, store } = await openTalk()
    await append(store, aKey('other'), { messages: upTo(2000).map((i) => aMessage(`o${i}`, `other${i}`)) })
    damage(path, 0.5)
    expect((await store.eraseConversations([trip])).isScrubbed).toBe(true)
    expect(await findIds(store, [aTerm('number', true)])).toEqual([])
    expect(await findIds(store, 'other7')).toEqual(['o7'])
    expect(await findProblems(store)).toEqual([])
  })
})

test('words that stand in a block and in the row of their message too are noticed', async () => {
  const { path, store } = await openTalk()
  runPlain(path, `UPDATE message SET content = '"twice"' WHERE position = 3`)
  expect((await findProblems(store)).map(({ check }) => check)).toEqual(['every message can be read'])
})

describe('a block that is gone', () => {
  test('costs its own messages only', async () => {
    const { path, store, before } = await openTalk()
    runPlain(path, 'DELETE FROM block WHERE number = (SELECT min(number) FROM block)')
    expect(expectRestExact(await readAll(store, trip), before)).toEqual(upTo(45))
    expect(await damagedIn(store)).toEqual([
      '45 messages of "trip" in the workspace "here" have lost their words',
    ])
  })

  test('or says that it has other messages costs what it does not know', async () => {
    const { path, store, before } = await openTalk()
    runPlain(path, "UPDATE block SET positions = '0-40' WHERE number = (SELECT min(number) FROM block)")
    expect(expectRestExact(await readAll(store, trip), before)).toEqual(upTo(45))
    expect(await damagedIn(store)).toEqual([
      'a block of "trip" in the workspace "here" is damaged: of its 45 messages, 0 can still be read',
      'a block of "trip" in the workspace "here" has other messages than those that are kept in it',
    ])
  })
})

describe('a page that blocks lie on', () => {
  /** Writes over a page of the table of blocks while nobody has the file open. */
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

  test('and that has other bytes costs the messages behind them', async () => {
    const { store, before } = await damagePage({ from: 100, bytes: Buffer.alloc(500, 7) })
    const damaged = expectRestExact(await readAll(store, trip), before)
    expect(damaged.length).toBeGreaterThan(0)
    expect((await damagedIn(store)).join()).toContain('can still be read')
  })

  test('and that leads nowhere costs the messages of the block', async () => {
    const { store, before } = await damagePage({ from: 0, bytes: Buffer.alloc(4, 0xff) })
    const damaged = expectRestExact(await readAll(store, trip), before)
    expect(damaged).toHaveLength(45)
    expect((await damagedIn(store)).length).toBeGreaterThan(1)
  })
})
