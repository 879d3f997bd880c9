// In a separate file, since closing the driver during a backup crashes the whole process.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aKey, aMessage, append, findProblems, readAll, upTo } from '../../../conformance/store/samples.ts'
import { openStore } from '../../../test/support/sqlite-file.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'

test('closing waits for a running backup', async () => {
  const store = await openStore()
  const messages = upTo(4000).map((i) => aMessage(`m${i}`, `some words ${i} `.repeat(60)))
  await append(store, aKey('trip'), { messages })
  const folder = temporaryFolder()
  const path = join(folder, 'copy.db')
  const backup = store.backup(path)
  await store.close()
  await backup
  expect(readdirSync(folder)).toEqual(['copy.db'])
  const copy = await openStore({ path })
  expect(await readAll(copy, aKey('trip'))).toHaveLength(4000)
  expect(await findProblems(copy)).toEqual([])
})
