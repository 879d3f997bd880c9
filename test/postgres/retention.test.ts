import { expect, onTestFinished, test } from 'vitest'
import { openMemory } from '../../src/index.ts'
import { startServer } from '../../src/server/start-server.ts'
import { newSchema, postgresUrl } from '../support/postgres-store.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('a server on PostgreSQL refuses to start with a folder for backups, and says what to use', async () => {
  const memory = await openMemory(await postgresUrl(), { postgres: { schema: newSchema() } })
  onTestFinished(() => memory.close())
  const starting = startServer(memory, { port: 0, retention: { backupFolder: temporaryFolder() } })
  await expect(starting).rejects.toMatchObject({
    code: 'invalid-input',
    hint: expect.stringContaining('pg_dump'),
  })
})
