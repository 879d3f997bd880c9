import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  aKey,
  aMessage,
  append,
  at,
  findProblems,
  HERE,
  many,
  needMessage,
  readAll,
  toIds,
  upTo,
} from '../../../conformance/store/samples.ts'
import { openPlain, openStore } from '../../../test/support/sqlite-file.ts'
import { temporaryPath } from '../../../test/support/temporary-folder.ts'
import { messageId } from '../../domain/ids.ts'
import type { Store } from '../store.ts'
import { Connection } from './connection.ts'
import { loadDriver, type SqliteDatabase } from './driver.ts'
import { openDatabase } from './open-database.ts'

const driver = await loadDriver()
const trip = aKey('trip')

/** A connection with one table, and a count of the statements it runs. */
async function connect(path: string = temporaryPath()) {
  const connection = await openDatabase(driver, { path, durability: 'relaxed', busyTimeoutMs: 2000 })
  onTestFinished(() => connection.close())
  connection.database.exec('CREATE TABLE IF NOT EXISTS word (text TEXT)')
  const plainExec = connection.database.exec.bind(connection.database)
  const exec = vi.spyOn(connection.database, 'exec')
  const countCommits = () => exec.mock.calls.filter(([sql]) => sql === 'COMMIT').length
  const write = (text: string) => connection.write(() => connection.run('INSERT INTO word VALUES (?)', text))
  const writeAndFail = (text: string) =>
    connection.write(() => {
      connection.run('INSERT INTO word VALUES (?)', text)
      throw new TypeError(`${text} failed`)
    })
  const words = () => connection.all<{ text: string }>('SELECT text FROM word').map(({ text }) => text)
  return { connection, exec, plainExec, countCommits, write, writeAndFail, words }
}

const statuses = async (promises: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(promises)).map(({ status }) => status)

describe('writes requested in the same tick', () => {
  test('share one commit', async () => {
    const { write, countCommits, words } = await connect()
    await Promise.all(upTo(50).map((i) => write(`w${i}`)))
    expect(countCommits()).toBe(1)
    expect(words()).toHaveLength(50)
  })

  test('are split into several commits if there are many, so that other work gets a turn', async () => {
    const { write, countCommits, words } = await connect()
    let turns = 0
    const timer = setInterval(() => turns++, 0)
    await Promise.all(upTo(3000).map((i) => write(`w${i}`)))
    clearInterval(timer)
    expect(countCommits()).toBeGreaterThan(3)
    expect(turns).toBeGreaterThan(1)
    expect(words()).toEqual(upTo(3000).map((i) => `w${i}`))
  })

  test('survive the failure of one of them', async () => {
    const { write, writeAndFail, words, countCommits } = await connect()
    expect(await statuses([write('a'), writeAndFail('b'), write('c')])).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
    ])
    expect(words()).toEqual(['a', 'c'])
    expect(countCommits()).toBe(1)
  })

  test('are all rejected if the commit fails, and none is acknowledged before it', async () => {
    const { exec, plainExec, write, words } = await connect()
    exec.mockImplementation((sql) => {
      if (sql !== 'COMMIT') return plainExec(sql)
      throw Object.assign(new Error('database or disk is full'), { errcode: 13 })
    })
    const refused = await Promise.allSettled([write('a'), write('b')])
    for (const outcome of refused) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'store-full' } })
    }
    exec.mockRestore()
    expect(words()).toEqual([])
    await write('c')
    expect(words()).toEqual(['c'])
  })

  test('are all rejected if the disk is full, and succeed once there is space', async () => {
    const { connection, write, words } = await connect()
    const pages = (most: number) => connection.database.exec(`PRAGMA max_page_count = ${most}`)
    pages(4)
    const refused = await Promise.allSettled([write('small'), write('big'.repeat(20_000)), write('late')])
    for (const outcome of refused) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'store-full' } })
    }
    expect(words()).toEqual([])
    pages(1_000_000)
    await Promise.all([write('small'), write('late')])
    expect(words()).toEqual(['small', 'late'])
  })
})

describe('independent writes', () => {
  const connectApart = async () => {
    const connected = await connect()
    const { connection, exec } = connected
    const savepoints = () => exec.mock.calls.filter(([sql]) => String(sql).startsWith('SAVEPOINT')).length
    const writeApart = (key: string, fails: 'never' | 'first' | 'second' = 'never') =>
      connection.writeBatched(key, () => {
        connection.run('INSERT INTO word VALUES (?)', `${key}1`)
        if (fails === 'first') throw new TypeError(`${key} failed`)
        return () => {
          connection.run('INSERT INTO word VALUES (?)', `${key}2`)
          if (fails === 'second') throw new TypeError(`${key} failed`)
          return key
        }
      })
    return { ...connected, savepoints, writeApart }
  }

  test('share a commit without savepoints, all first halves before all second halves', async () => {
    const { writeApart, words, countCommits, savepoints } = await connectApart()
    expect(await Promise.all([writeApart('a'), writeApart('b')])).toEqual(['a', 'b'])
    expect(words()).toEqual(['a1', 'b1', 'a2', 'b2'])
    expect([countCommits(), savepoints()]).toEqual([1, 0])
  })

  test.each(['first', 'second'] as const)(
    'survive the failure of one of them in its %s half',
    async (half) => {
      const { writeApart, words } = await connectApart()
      const promises = [writeApart('a'), writeApart('b', half), writeApart('c')]
      expect(await statuses(promises)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      expect(words()).toEqual(['a1', 'a2', 'c1', 'c2'])
    },
  )

  test('run one after the other if they share a key or are mixed with other writes', async () => {
    const { writeApart, write, words, savepoints } = await connectApart()
    await Promise.all([writeApart('a'), writeApart('a')])
    await Promise.all([writeApart('b'), write('c'), writeApart('d')])
    expect(words()).toEqual(['a1', 'a2', 'a1', 'a2', 'b1', 'b2', 'c', 'd1', 'd2'])
    expect(savepoints()).toBe(5)
  })

  test('create and append to conversations, each with the right content', async () => {
    const store = await openStore()
    const keys = upTo(40).map((i) => aKey(`c${i}`))
    await Promise.all(
      keys.map((key) => store.createConversation({ ...key, fields: { title: 'T' }, createdAt: at(0) })),
    )
    await Promise.all(keys.map((key, i) => append(store, key, { messages: many(`m${i}-`, 3) })))
    for (const [i, key] of keys.entries()) {
      expect(toIds(await readAll(store, key))).toEqual([`m${i}-0`, `m${i}-1`, `m${i}-2`])
      expect(await store.findConversation(key)).toMatchObject({ title: 'T', messageCount: 3 })
    }
    const taken = keys
      .slice(0, 3)
      .map((key, i) => append(store, key, { messages: [aMessage(i === 1 ? 'm0-0' : `n${i}`)] }))
    expect(await statuses(taken)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await findProblems(store)).toEqual([])
  })
})

test('a single write that fails leaves nothing behind', async () => {
  const { writeAndFail, write, words } = await connect()
  await expect(writeAndFail('a')).rejects.toThrow('a failed')
  expect(words()).toEqual([])
  await write('b')
  expect(words()).toEqual(['b'])
})

test('if one of several appends in one tick conflicts, only that one is rejected', async () => {
  const store = await openStore()
  await append(store, trip, { messages: [aMessage('taken', 'first')] })
  const promises = [
    append(store, trip, { messages: many('a', 2) }),
    append(store, trip, { messages: [aMessage('b'), aMessage('taken', 'second')] }),
    append(store, aKey('other'), { messages: many('c', 2) }),
    store.changeConversation(aKey('nowhere'), { title: 'x' }),
    append(store, trip, { messages: [aMessage('d')] }),
  ]
  expect(await statuses(promises)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'])
  expect(toIds(await readAll(store, trip))).toEqual(['taken', 'a0', 'a1', 'd'])
  expect(await findProblems(store)).toEqual([])
})

describe('while another process holds the write lock', () => {
  /** Takes the lock and releases it after a while, unless the event loop is blocked. */
  function holdLock(path: string, forMs: number): SqliteDatabase {
    const holder = openPlain(path)
    holder.exec('BEGIN IMMEDIATE')
    setTimeout(() => holder.exec('COMMIT'), forMs)
    return holder
  }

  test('a write waits without blocking the event loop', async () => {
    const path = temporaryPath()
    const store = await openStore({ path })
    await append(store, trip, { messages: many('m', 1) })
    holdLock(path, 300)
    let ticks = 0
    const timer = setInterval(() => ticks++, 5)
    const began = performance.now()
    const { added } = await append(store, trip, { messages: [aMessage('late')] })
    clearInterval(timer)
    expect(added).toBe(1)
    expect(performance.now() - began).toBeGreaterThan(200)
    expect(ticks).toBeGreaterThanOrEqual(3)
  })

  test('reads continue without waiting', async () => {
    const path = temporaryPath()
    const store = await openStore({ path })
    await append(store, trip, { messages: many('m', 3) })
    holdLock(path, 300)
    const began = performance.now()
    expect(await readAll(store, trip)).toHaveLength(3)
    expect(performance.now() - began).toBeLessThan(200)
    await sleep(350)
  })

  test('a write fails as busy after its timeout, and nothing is written', async () => {
    const path = temporaryPath()
    const store = await openStore({ path, busyTimeoutMs: 100 })
    await append(store, trip, { messages: many('m', 1) })
    holdLock(path, 500)
    const began = performance.now()
    const late = [
      append(store, trip, { messages: [aMessage('a')] }),
      append(store, trip, { messages: [aMessage('b')] }),
    ]
    for (const outcome of await Promise.allSettled(late)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'store-busy' } })
    }
    expect(performance.now() - began).toBeLessThan(400)
    await sleep(500)
    expect(toIds(await readAll(store, trip))).toEqual(['m0'])
    expect((await append(store, trip, { messages: [aMessage('a')] })).added).toBe(1)
  })

  test('waiting writes keep the order in which they were requested', async () => {
    const path = temporaryPath()
    const store = await openStore({ path })
    holdLock(path, 150)
    const first = append(store, trip, { messages: [aMessage('first')] })
    await sleep(60)
    await Promise.all([first, append(store, trip, { messages: [aMessage('second')] })])
    expect(toIds(await readAll(store, trip))).toEqual(['first', 'second'])
  })

  test('several stores write to one file at the same time without loss', async () => {
    const path = temporaryPath()
    const stores = await Promise.all(upTo(4).map(() => openStore({ path })))
    const [store] = stores as [Store]
    await Promise.all(
      upTo(100).map((i) => append(stores[i % 4] as Store, trip, { messages: [aMessage(`m${i}`)] })),
    )
    expect(await readAll(store, trip)).toHaveLength(100)
    expect(await findProblems(store)).toEqual([])
  })
})

describe('closing', () => {
  test('waits for running writes', async () => {
    const path = temporaryPath()
    const store = await openStore({ path })
    const appended = upTo(400).map((i) => append(store, trip, { messages: [aMessage(`m${i}`)] }))
    await store.close()
    expect((await Promise.all(appended)).every(({ added }) => added === 1)).toBe(true)
    expect(await readAll(await openStore({ path }), trip)).toHaveLength(400)
  })

  test('waits for a write that is waiting for another process', async () => {
    const path = temporaryPath()
    const store = await openStore({ path })
    const holder = openPlain(path)
    holder.exec('BEGIN IMMEDIATE')
    setTimeout(() => holder.exec('COMMIT'), 100)
    const appended = append(store, trip, { messages: many('m', 1) })
    await store.close()
    expect((await appended).added).toBe(1)
  })

  test('waits for an erase to finish', async () => {
    const store = await openStore()
    await append(store, trip, { messages: [aMessage('s', 'secret')] })
    const erased = store.eraseMessage(HERE, messageId('s'), at(9))
    await store.close()
    expect(await erased).toMatchObject({ messages: 1, isScrubbed: true })
  })

  test('rejects later calls as closed', async () => {
    const path = temporaryPath()
    const store = await openStore({ path })
    const second = append(store, trip, { messages: [aMessage('a')] }).then(() =>
      append(store, trip, { messages: [aMessage('b')] }),
    )
    const [outcome] = await Promise.allSettled([second, store.close()])
    const isThere = (await (await openStore({ path })).findMessage(HERE, messageId('b'))) !== undefined
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'store-closed' })
    expect(isThere).toBe(outcome.status === 'fulfilled')
  })

  test('twice, in sequence or at the same time, is the same as once', async () => {
    const store = await openStore()
    await append(store, trip, { messages: many('m', 1) })
    await Promise.all([store.close(), store.close()])
    await store.close()
    await expect(needMessage(store, 'm0')).rejects.toMatchObject({ code: 'store-closed' })
  })

  test('twice at the same time during a write', async () => {
    const store = await openStore()
    const appended = append(store, trip, { messages: many('m', 1) })
    await Promise.all([store.close(), store.close()])
    expect((await appended).added).toBe(1)
  })
})

test('a connection to a database that was closed elsewhere fails instead of hanging', async () => {
  const database = new driver.DatabaseSync(':memory:')
  const connection = new Connection(database, 'memory.db', 1000)
  database.close()
  await expect(connection.write(() => undefined)).rejects.toThrow()
  await expect(connection.read(() => connection.get('SELECT 1'))).rejects.toThrow()
})
