import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { askPlain, openStore, runPlain } from '../../../test/support/sqlite-file.ts'
import { temporaryPath } from '../../../test/support/temporary-folder.ts'
import { aKey, aMessage, append, findProblems, readAll } from '../conformance/samples.ts'
import type { Connection } from './connection.ts'
import { loadDriver } from './driver.ts'
import { migrate } from './migrate.ts'
import { MIGRATIONS } from './migrations/migrations.ts'
import { openDatabase } from './open-database.ts'

// A list of our own that tests may add to.
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

/** Migrates with a list of its own, and tells of which versions a copy was kept. */
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
  test('a new file goes through every step, and no copy is kept of nothing', async () => {
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

  test('a file of the present version is left alone', async () => {
    const connection = await connect(temporaryPath())
    await migrateTo(connection, [FIRST, SECOND])
    expect(await migrateTo(connection, [FIRST, SECOND])).toEqual([])
    expect(notes(connection)).toHaveLength(1)
  })

  test('a step that fails leaves the file at the version before, with nothing of the step done', async () => {
    const connection = await connect(temporaryPath())
    await migrateTo(connection, [FIRST])
    await expect(migrateTo(connection, [FIRST, BROKEN])).rejects.toMatchObject({ code: 'store-failed' })
    expect(versions(connection)).toEqual([1])
    expect(notes(connection)).toEqual([])
    await migrateTo(connection, [FIRST, SECOND])
    expect(versions(connection)).toEqual([1, 2])
  })

  test('a step is not begun where no copy could be kept', async () => {
    const connection = await connect(temporaryPath())
    await migrateTo(connection, [FIRST])
    const keepCopy = () => Promise.reject(new Error('the disk is full'))
    const migration = migrate({ connection, migrations: [FIRST, SECOND], now: new Date(0), keepCopy })
    await expect(migration).rejects.toThrow('the disk is full')
    expect(versions(connection)).toEqual([1])
  })

  test('connections that migrate at once take each step once', async () => {
    const path = temporaryPath()
    await migrateTo(await connect(path), [FIRST])
    const connections = await Promise.all([connect(path), connect(path), connect(path)])
    await Promise.all(connections.map((connection) => migrateTo(connection, [FIRST, SECOND])))
    for (const connection of connections) {
      expect(versions(connection)).toEqual([1, 2])
      expect(notes(connection)).toEqual([{ words: 'added' }])
    }
  })

  test('a new file that several open at once is made once', async () => {
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

  /** What was kept of the file as it was. */
  function findCopies(path: string): readonly string[] {
    const folder = dirname(path)
    const isCopy = (name: string) =>
      name.startsWith(`${basename(path)}.schema-${now}`) && name.endsWith('.bak')
    return readdirSync(folder)
      .filter(isCopy)
      .map((name) => join(folder, name))
  }

  test('the words stay, and a copy of the file as it was lies beside it', async () => {
    const path = await makeOldFile()
    list.push(NEXT)
    const store = await openStore({ path })
    expect(await readAll(store, aKey('trip'))).toHaveLength(1)
    expect(await findProblems(store)).toEqual([])
    const [copy = ''] = findCopies(path)
    expect(askPlain(copy, 'SELECT max(version) FROM schema_version')).toBe(now)
    expect(askPlain(copy, 'SELECT content FROM message')).toBe('"kept"')
  })

  test('several programs may open it at once', async () => {
    const path = await makeOldFile()
    list.push(NEXT)
    const stores = await Promise.all([openStore({ path }), openStore({ path }), openStore({ path })])
    for (const store of stores) expect(await readAll(store, aKey('trip'))).toHaveLength(1)
    expect(findCopies(path).length).toBeGreaterThan(0)
    for (const copy of findCopies(path)) {
      expect(askPlain(copy, 'SELECT max(version) FROM schema_version')).toBe(now)
    }
  })

  test('after a step that failed, it can be opened once the step is mended', async () => {
    const path = await makeOldFile()
    list.push(BROKEN)
    await expect(openStore({ path })).rejects.toMatchObject({ code: 'store-failed' })
    expect(askPlain(path, 'SELECT max(version) FROM schema_version')).toBe(now)
    list[now] = NEXT
    const store = await openStore({ path })
    expect(await readAll(store, aKey('trip'))).toHaveLength(1)
  })

  test('words that were indexed by older rules are indexed anew', async () => {
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
