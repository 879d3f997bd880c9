// `npm run test:long`: the long form of the tests that have one (kills, power cuts, servers under load, large
// properties and fuzzing). They are the test files that import test/support/effort.ts. Arguments narrow the
// choice: `npm run test:long -- reliability`. What each programme does is in test/reliability/README.md.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, runTool, setUp } from './setup.mjs'
import { installMissing } from './system-programs.mjs'

function listLongTests() {
  return ['src', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => join(folder, file))
      .filter((file) => readFileSync(join(root, file), 'utf8').includes('support/effort.ts')),
  )
}

setUp()
installMissing(['PostgreSQL', 'PgBouncer'])
const words = process.argv.slice(2)
const files = listLongTests().filter(
  (file) => words.length === 0 || words.some((word) => file.includes(word)),
)
process.env.TEST_LONG = '1'
runTool('vitest', 'run', ...files)
