// Checks the shape of the published package with publint and Are the types wrong.

import { runTool } from './setup.mjs'

runTool('publint', '--strict')
// A style sheet has no types.
const exclude = ['--exclude-entrypoints', './react/theme.css']
runTool('@arethetypeswrong/cli', '--pack', '.', '--profile', 'esm-only', ...exclude)
