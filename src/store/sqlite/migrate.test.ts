import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { aKey, aMessage, append, findProblems, readAll } from '../../../conformance/store/samples.ts'
import { askPlain, openStore, runPlain } from '../../../test/support/sqlite-file.ts'
import { temporaryPath } from '../../../test/support/temporary-folder.ts'
import type { Connection } from './connection.ts'
import { loadDriver } from './driver.ts'
import { migrate } from './migrate.ts'
import { MIGRATIONS } from './migrations/migrations.ts'
import { openDatabase } from './open-database.ts'

// A separate list that tests may add to.
vi.mock('./migrations/migrations.ts', async (importOriginal) => {
  const { MIGRATIONS } = await importOriginal<typeof import('./migrations/migrations.ts')>()
  return { MIGRATIONS: [...MIGRATIONS] }
})

const driver = await loadDriver()

const FIRST = 'CREATE TABLE note (words TEXT) STRICT'
const SECOND =
  "ALTER TABLE note ADD COLUMN colour TEXT; INSERT INTO note (words, colour) VALUES ('added', 'red')"
const BROKEN = "INSERT INTO note (words) VALUES ('half'); INSERT INTO nowhere VALUES (1)"

async function connect(path: string): Promise<Connection> {
  const connection = await openDatabase(driver, { path, durability: 'relaxed', busyTimeoutMs: 5000 })
  onTestFinished(() => connection.close())
  return connection
}

/** Migrates with the given list, and returns the versions of which a copy was kept. */
async function migrateTo(connection: Connection, migrations: readonly string[]): Promise<number[]> {
  const kept: number[] = []
  await migrate({
    connection,
    migrations,
    now: new Date(0),
    keepCopy: async (version) => {
      kept.push(version)
    },
  })
  return kept
}

const versions = (connection: Connection) =>
  connection.all<{ version: number }>('SELECT version FROM schema_version').map(({ version }) => version)
const notes = (connection: Connection) => connection.all('SELECT words FROM note')

describe('a file of an older version', () => {
  test('a new file takes every step, and no copy of an empty file is kept', async () => {
    const connection = await connect(temporaryPath())
    expect(await migrateTo(connection, [FIRST, SECOND])).toEqual([])
    expect(versions(connection)).toEqual([1, 2])
    expect(notes(connection)).toEqual([{ words: 'added' }])
  })

  test('only the missing steps are taken, and a copy is kept before the first', async () => {
    const connection = await connect(temporaryPath())
    await migrateTo(connection, [FIRST])
    connection.run("INSERT INTO note VALUES ('mine')")
    expect(await migrateTo(connection, [FIRST, SECOND])).toEqual([1])
    expect(versions(connection)).toEqual([1, 2])
    expect(notes(connection)).toEqual([{ words: 'mine' }, { words: 'added' }])
  })

  test('a file of the current version is left unchanged', async () => {
    const connection = await connect(temporaryPath())
    await migrateTo(connection, [FIRST, SECOND])
    expect(await migrateTo(connection, [FIRST, SECOND])).toEqual([])
    expect(notes(connection)).toHaveLength(1)
  })

  test('a step that fails leaves the file at the previous version, without any of the changes of the step', async () => {
    const connection = await connect(temporaryPath())
    await migrateTo(connection, [FIRST])
    await expect(migrateTo(connection, [FIRST, BROKEN])).rejects.toMatchObject({ code: 'store-failed' })
    expect(versions(connection)).toEqual([1])
    expect(notes(connection)).toEqual([])
    await migrateTo(connection, [FIRST, SECOND])
    expect(versions(connection)).toEqual([1, 2])
  })

  test('a step does not start if no copy could be kept', async () => {
    const connection = await connect(temporaryPath())
    await migrateTo(connection, [FIRST])
    const keepCopy = () => Promise.reject(new Error('the disk is full'))
    const migration = migrate({ connection, migrations: [FIRST, SECOND], now: new Date(0), keepCopy })
    await expect(migration).rejects.toThrow('the disk is full')
    expect(versions(connection)).toEqual([1])
  })

  test('connections that migrate at the same time take each step once', async () => {
    const path = temporaryPath()
    await migrateTo(await connect(path), [FIRST])
    const connections = await Promise.all([connect(path), connect(path), connect(path)])
    await Promise.all(connections.map((connection) => migrateTo(connection, [FIRST, SECOND])))
    for (const connection of connections) {
      expect(versions(connection)).toEqual([1, 2])
      expect(notes(connection)).toEqual([{ words: 'added' }])
    }
  })

  test('a new file that several connections open at the same time is created once', async () => {
    const path = temporaryPath()
    const stores = await Promise.all([1, 2, 3, 4].map(() => openStore({ path })))
    await Promise.all(
      stores.map((store, i) => append(store, aKey('trip'), { messages: [aMessage(`m${i}`)] })),
    )
    for (const store of stores) expect(await readAll(store, aKey('trip'))).toHaveLength(4)
    expect(askPlain(path, 'SELECT count(*) FROM schema_version')).toBe(MIGRATIONS.length)
  })
})

describe('opening a store of an older version', () => {
  const NEXT = 'CREATE TABLE newer (words TEXT) STRICT'
  const list = MIGRATIONS as string[]
  const now = MIGRATIONS.length

  afterEach(() => {
    list.length = now
  })

  async function makeOldFile(): Promise<string> {
    const path = temporaryPath()
    const store = await openStore({ path })
    await append(store, aKey('trip'), { messages: [aMessage('a', 'kept')] })
    await store.close()
    return path
  }

  /** The copies that were kept of the original file. */
  function findCopies(path: string): readonly string[] {
    const folder = dirname(path)
    const isCopy = (name: string) =>
      name.startsWith(`${basename(path)}.schema-${now}`) && name.endsWith('.bak')
    return readdirSync(folder)
      .filter(isCopy)
      .map((name) => join(folder, name))
  }

  test('the content is kept, and a copy of the original file is next to it', async () => {
    const path = await makeOldFile()
    list.push(NEXT)
    const store = await openStore({ path })
    expect(await readAll(store, aKey('trip'))).toHaveLength(1)
    expect(await findProblems(store)).toEqual([])
    const [copy = ''] = findCopies(path)
    expect(askPlain(copy, 'SELECT max(version) FROM schema_version')).toBe(now)
    expect(askPlain(copy, 'SELECT content FROM message')).toBe('"kept"')
  })

  test('several processes may open it at the same time', async () => {
    const path = await makeOldFile()
    list.push(NEXT)
    const stores = await Promise.all([openStore({ path }), openStore({ path }), openStore({ path })])
    for (const store of stores) expect(await readAll(store, aKey('trip'))).toHaveLength(1)
    expect(findCopies(path).length).toBeGreaterThan(0)
    for (const copy of findCopies(path)) {
      expect(askPlain(copy, 'SELECT max(version) FROM schema_version')).toBe(now)
    }
  })

  test('after a step that failed, it can be opened once the step is fixed', async () => {
    const path = await makeOldFile()
    list.push(BROKEN)
    await expect(openStore({ path })).rejects.toMatchObject({ code: 'store-failed' })
    expect(askPlain(path, 'SELECT max(version) FROM schema_version')).toBe(now)
    list[now] = NEXT
    const store = await openStore({ path })
    expect(await readAll(store, aKey('trip'))).toHaveLength(1)
  })

  test('text that was indexed by older rules is indexed again', async () => {
    const path = await makeOldFile()
    runPlain(
      path,
      "UPDATE setting SET value = '0' WHERE name = 'words-version'",
      "INSERT INTO message_words (message_words) VALUES ('delete-all')",
    )
    const store = await openStore({ path })
    expect(await findProblems(store)).toEqual([])
    expect(askPlain(path, "SELECT value FROM setting WHERE name = 'words-version'")).not.toBe('0')
  })
})
