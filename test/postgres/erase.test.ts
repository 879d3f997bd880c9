import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { aDocumentKey, addDocument } from '../../conformance/store/document-samples.ts'
import { aKey, aMessage, append, at, create, HERE } from '../../conformance/store/samples.ts'
import { messageId } from '../../src/domain/ids.ts'
import { askServer, openFreshPostgres, postgresUrl } from '../support/postgres-store.ts'
import { waitUntil } from '../support/wait-until.ts'

/** The files of all tables and indexes of the database that contain a text, without the write-ahead log. */
async function filesWith(text: string): Promise<readonly string[]> {
  await askServer('CHECKPOINT')
  const url = await postgresUrl()
  const [row] = await askServer('SELECT oid FROM pg_database WHERE datname = current_database()', url)
  const folder = join(inject('postgresFolder'), 'base', String((row as { oid: number }).oid))
  return readdirSync(folder).filter((name) => readIfThere(join(folder, name)).includes(text))
}

/** A file may disappear between listing and reading, because the server deletes files it no longer needs. */
function readIfThere(path: string): Buffer {
  const isThere = statSync(path, { throwIfNoEntry: false })?.isFile() === true
  return isThere ? readFileSync(path) : Buffer.alloc(0)
}

test('erased text is removed from rows and indexes at once, and from the files after a scrub', async () => {
  const store = await openFreshPostgres()
  try {
    await create(store, aKey('trip'), { title: 'about quetzalcoatlus', tags: ['pterodactylus'] })
    const messages = [aMessage('a', 'the archaeopteryx flew'), aMessage('b', 'it was nice')]
    await append(store, aKey('trip'), { messages })
    await append(store, aKey('other'), { messages: [aMessage('c', 'a microraptor glided')] })
    await addDocument(store, aDocumentKey('birds'), ['the ichthyornis dived'], { conversation: 'trip' })
    for (const word of ['archaeopteryx', 'quetzalcoatlus', 'pterodactylus', 'ichthyornis'])
      expect(await filesWith(word), word).not.toEqual([])
    expect(await store.eraseMessage(HERE, messageId('a'), at(9))).toMatchObject({
      messages: 1,
      isScrubbed: false,
    })
    expect(await store.eraseConversations([aKey('trip')])).toMatchObject({ documents: 1, isScrubbed: false })
    expect((await store.check()).map(({ check }) => check).join()).toContain('erase --finish')
    // Transactions of other tests on the same server delay it, too.
    await waitUntil(() => store.scrub(), 'the erase to be finished')
    for (const word of ['archaeopteryx', 'quetzalcoatlus', 'pterodactylus', 'ichthyornis'])
      expect(await filesWith(word), word).toEqual([])
    expect(await filesWith('microraptor')).not.toEqual([])
    expect((await store.check()).map(({ check }) => check).join()).not.toContain('erase --finish')
  } finally {
    await store.close()
  }
})

test('an erase cannot be scrubbed while a reader still sees the old state', async () => {
  const store = await openFreshPostgres()
  const reader = new pg.Client({ connectionString: await postgresUrl() })
  await reader.connect()
  try {
    await append(store, aKey('trip'), { messages: [aMessage('a', 'confuciusornis')] })
    await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
    await reader.query('SELECT 1 FROM pg_class LIMIT 1')
    await store.eraseConversations([aKey('trip')])
    expect(await store.scrub()).toBe(false)
    await reader.query('COMMIT')
    await waitUntil(() => store.scrub(), 'the erase to be finished')
  } finally {
    await reader.end()
    await store.close()
  }
})
