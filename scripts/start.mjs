import { join } from 'node:path'
import { root, run, setUp } from './setup.mjs'

setUp()
run(process.execPath, join(root, 'dist/cli/main.js'), 'serve', ...process.argv.slice(2))
