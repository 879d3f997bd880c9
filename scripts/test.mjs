// `npm test`: everything that a change must pass. Words after `--` go to vitest and skip the other checks:
// `npm test -- src/context`.

import { needChromium } from './chromium.mjs'
import { run, runTool, setUp } from './setup.mjs'

setUp()
needChromium()
const words = process.argv.slice(2)
if (words.length > 0) runTool('vitest', 'run', ...words)
else run(process.execPath, 'scripts/check.mjs')
