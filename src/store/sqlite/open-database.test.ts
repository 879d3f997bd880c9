import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { aKey, aMessage, append, readAll } from '../../../conformance/store/samples.ts'
import { openPlain, openStore, readRaw, runPlain } from '../../../test/support/sqlite-file.ts'
import { temporaryFolder, temporaryPath } from '../../../test/support/temporary-folder.ts'
import type { Connection } from './connection.ts'
import { loadDriver } from './driver.ts'
import { type Durability, openDatabase } from './open-database.ts'

const driver = await loadDriver()

async function connect(path: string, durability: Durability = 'full'): Promise<Connection> {
  const connection = await openDatabase(driver, { path, durability, busyTimeoutMs: 1000 })
  onTestFinished(() => connection.close())
  return connection
}

const ask = (connection: Connection, pragma: string) =>
  Object.values(connection.get(`PRAGMA ${pragma}`) as object)[0]

const open = (path: string) => openStore({ path })

describe('required settings of every connection', () => {
  test('write-ahead logging, and a disk sync at every commit', async () => {
    const path = temporaryPath()
    for (const connection of [await connect(path), await connect(path)]) {
      expect(ask(connection, 'journal_mode')).toBe('wal')
      expect(ask(connection, 'synchronous')).toBe(2)
    }
  })

  test('a relaxed connection syncs at checkpoints only, and a full one on the same file still syncs at every commit', async () => {
    const path = temporaryPath()
    expect(ask(await connect(path, 'relaxed'), 'synchronous')).toBe(1)
    expect(ask(await connect(path, 'full'), 'synchronous')).toBe(2)
  })

  test.each(['full', 'relaxed'] as const)('a %s connection overwrites deleted data', async (durability) => {
    const connection = await connect(temporaryPath(), durability)
    expect(ask(connection, 'secure_delete')).toBe(1)
    expect(ask(connection, 'foreign_keys')).toBe(1)
    expect(ask(connection, 'trusted_schema')).toBe(0)
  })

  test('an in-memory database overwrites deleted data too', async () => {
    const connection = await connect(':memory:')
    expect(ask(connection, 'secure_delete')).toBe(1)
    expect(ask(connection, 'foreign_keys')).toBe(1)
  })

  test('both word indexes use secure-delete', async () => {
    const path = temporaryPath()
    await open(path)
    const plain = openPlain(path)
    for (const index of ['message_words', 'conversation_words']) {
      expect(plain.prepare(`SELECT v FROM ${index}_config WHERE k = 'secure-delete'`).get()).toEqual({ v: 1 })
    }
  })
})

describe('a foreign file', () => {
  test('a database of another program is refused and left unchanged', async () => {
    const path = temporaryPath()
    runPlain(path, 'CREATE TABLE theirs (words TEXT)', "INSERT INTO theirs VALUES ('keep me')")
    const before = readFileSync(path)
    await expect(open(path)).rejects.toMatchObject({
      code: 'store-damaged',
      hint: expect.stringContaining('path'),
    })
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(readRaw(path).equals(before)).toBe(true)
  })

  test('an empty database with the application id of another program is refused and left unchanged', async () => {
    const path = temporaryPath()
    runPlain(path, 'PRAGMA application_id = 42')
    const before = readFileSync(path)
    await expect(open(path)).rejects.toMatchObject({ code: 'store-damaged' })
    expect(readRaw(path).equals(before)).toBe(true)
  })

  test('a database of another program keeps its write-ahead log', async () => {
    const path = temporaryPath()
    const theirs = openPlain(path)
    theirs.exec('PRAGMA journal_mode = WAL')
    theirs.exec('CREATE TABLE theirs (words TEXT)')
    const [file, log] = [readFileSync(path), readFileSync(`${path}-wal`)]
    // As after a crash: a log that no connection has open.
    const copy = join(dirname(path), 'crashed.db')
    writeFileSync(copy, file)
    writeFileSync(`${copy}-wal`, log)
    await expect(open(copy)).rejects.toMatchObject({ code: 'store-damaged' })
    expect(readFileSync(copy).equals(file)).toBe(true)
    expect(readFileSync(`${copy}-wal`).equals(log)).toBe(true)
  })

  test('a file that is not a database is refused as damaged and left unchanged', async () => {
    const path = temporaryPath()
    const text = 'Dear diary, this is a text and no database.\n'.repeat(200)
    writeFileSync(path, text)
    await expect(open(path)).rejects.toMatchObject({ name: 'MemoryError', code: 'store-damaged' })
    expect(readRaw(path).toString()).toBe(text)
  })

  test('a file of a newer version is refused and left unchanged', async () => {
    const path = temporaryPath()
    await (await open(path)).close()
    runPlain(path, 'INSERT INTO schema_version VALUES (99, 0)', 'PRAGMA wal_checkpoint(TRUNCATE)')
    const before = readFileSync(path)
    await expect(open(path)).rejects.toMatchObject({
      code: 'store-too-new',
      message: expect.stringContaining('99'),
      hint: expect.stringContaining('update'),
    })
    expect(readFileSync(path).equals(before)).toBe(true)
  })
})

describe('the file and its folder', () => {
  test('a missing folder is created with the file', async () => {
    const path = join(temporaryFolder(), 'a', 'b', 'memory.db')
    await open(path)
    expect(statSync(path).isFile()).toBe(true)
  })

  test('an empty file is used', async () => {
    const path = temporaryPath()
    writeFileSync(path, '')
    const store = await open(path)
    await append(store, aKey('trip'), { messages: [aMessage('a')] })
  })

  test('file, log and shared memory are readable by their owner only', async () => {
    const path = temporaryPath()
    const store = await open(path)
    await append(store, aKey('trip'), { messages: [aMessage('a', 'private')] })
    for (const ending of ['', '-wal', '-shm'])
      expect(statSync(path + ending).mode & 0o777, ending).toBe(0o600)
  })

  test('a path below a file fails with a clear error', async () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, 'a file, no folder')
    const path = join(file, 'memory.db')
    await expect(open(path)).rejects.toMatchObject({
      name: 'MemoryError',
      code: 'store-failed',
      message: expect.stringContaining(path),
      hint: expect.stringContaining('folder'),
    })
  })

  test('a path that is a folder fails with a clear error', async () => {
    const folder = temporaryFolder()
    await expect(open(folder)).rejects.toMatchObject({
      code: 'store-failed',
      message: expect.stringContaining(folder),
    })
  })

  test('a folder without write permission fails with a clear error', async (context) => {
    if (process.getuid?.() === 0) {
      console.log('not run: root may write to any folder')
      context.skip('root may write to any folder')
    }
    const folder = join(temporaryFolder(), 'locked')
    mkdirSync(folder)
    chmodSync(folder, 0o500)
    await expect(open(join(folder, 'memory.db'))).rejects.toMatchObject({ code: 'store-failed' })
  })

  test('acknowledged writes are there when the file is reopened', async () => {
    const path = temporaryPath()
    const first = await open(path)
    await append(first, aKey('trip'), { messages: [aMessage('a', 'kept')] })
    const before = await readAll(first, aKey('trip'))
    await first.close()
    expect(await readAll(await open(path), aKey('trip'))).toEqual(before)
  })

  test('after closing, the file alone contains everything', async () => {
    const path = temporaryPath()
    const store = await open(path)
    await append(store, aKey('trip'), { messages: [aMessage('a', 'kept')] })
    const before = await readAll(store, aKey('trip'))
    await store.close()
    const copy = temporaryPath()
    writeFileSync(copy, readFileSync(path))
    expect(await readAll(await open(copy), aKey('trip'))).toEqual(before)
  })
})
