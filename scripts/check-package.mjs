// The shape of the published package: what publint and Are the types wrong say about it.

import { runTool } from './setup.mjs'

export function checkPackage() {
  runTool('publint', '--strict')
  // A style sheet has no types.
  const exclude = ['--exclude-entrypoints', './react/theme.css']
  runTool('@arethetypeswrong/cli', '--pack', '.', '--profile', 'esm-only', ...exclude)
}
