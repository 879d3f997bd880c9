import { expect, test } from 'vitest'
import { aKey, aMessage, append, HERE } from '../../conformance/store/samples.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { askServer, postgresSettings } from '../support/postgres-store.ts'

test('a column added to a table by a newer version breaks no open connection', async () => {
  const settings = await postgresSettings({ poolSize: 1 })
  const store = await openPostgresStore(settings)
  let said = 0
  const use = async () => {
    const id = `m${said++}`
    await append(store, aKey('c'), { messages: [aMessage(id, 'hello')] })
    const found = await store.findConversation(aKey('c'))
    const { items } = await store.listConversations({ workspace: HERE, archived: 'with', limit: 10 })
    return [found?.messageCount, items[0]?.messageCount]
  }
  // Often enough for PostgreSQL to cache plans.
  for (let i = 1; i <= 10; i++) expect(await use()).toEqual([i, i])
  await askServer(`ALTER TABLE ${settings.schema}.conversation ADD COLUMN newer TEXT`, settings.url)
  for (let i = 11; i <= 15; i++) expect(await use()).toEqual([i, i])
  await store.close()
})
