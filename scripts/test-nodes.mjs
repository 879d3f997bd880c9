// Runs the tests that touch SQLite and the front door on other versions of Node, which npm can bring:
// `npm run test:nodes`, or `npm run test:nodes -- 22`. Newer ones use the SQLite that Node itself has.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, setUp } from './setup.mjs'

setUp()
const versions = process.argv.length > 2 ? process.argv.slice(2) : ['22', '24']
const parts = ['src', 'test/conformance', 'test/journeys']
let failed = 0
for (const version of versions) {
  const folder = mkdtempSync(join(tmpdir(), `recollect-node-${version}-`))
  try {
    const install = [
      'install',
      '--prefix',
      folder,
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      `node@${version}`,
    ]
    if (spawnSync('npm', install, { stdio: 'inherit' }).status !== 0) process.exit(1)
    const node = join(folder, 'node_modules/.bin/node')
    console.log(`\n── Node ${spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()}`)
    const words = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...parts]
    failed += spawnSync(node, words, { cwd: root, stdio: 'inherit' }).status === 0 ? 0 : 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
process.exit(failed === 0 ? 0 : 1)
