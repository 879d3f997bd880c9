// `npm test`: everything that a change must pass. Arguments after `--` go to vitest and skip the other checks:
// `npm test -- src/context`.

import { run, runTool, setUp } from './setup.mjs'
import { findPgBouncer, installMissing, requireChromium } from './system-programs.mjs'

setUp()
installMissing()
requireChromium()
if (findPgBouncer() === undefined)
  console.log(
    'PgBouncer is not installed, so its tests are skipped. The Debian package is called `pgbouncer`.',
  )
const words = process.argv.slice(2)
if (words.length > 0) runTool('vitest', 'run', ...words)
else run(process.execPath, 'scripts/check.mjs')
