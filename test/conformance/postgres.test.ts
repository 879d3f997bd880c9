import { checkStore } from '../support/check-store.ts'
import { openFreshPostgres } from '../support/postgres-store.ts'

checkStore('PostgreSQL', () => openFreshPostgres())
