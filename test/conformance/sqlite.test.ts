import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { checkStore } from '../support/check-store.ts'
import { temporaryPath } from '../support/temporary-folder.ts'

const busyTimeoutMs = 5000

checkStore('a SQLite file', () =>
  openSqliteStore({ path: temporaryPath(), durability: 'full', busyTimeoutMs }),
)

checkStore('a relaxed SQLite file', () =>
  openSqliteStore({ path: temporaryPath(), durability: 'relaxed', busyTimeoutMs }),
)

checkStore('SQLite in memory', () => openSqliteStore({ path: ':memory:', durability: 'full', busyTimeoutMs }))
