// `npm run check`: format, lint, types, the direction of imports, dead code, tests, generated documents and
// the shape of the package, in the order of how quickly they fail.

import { spawnSync } from 'node:child_process'
import { build, root, run, runTool } from './setup.mjs'

/** dependency-cruiser is content when it found nothing to look at, as it does with a TypeScript it cannot read. */
function checkArrows() {
  const cruise = [
    'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
    'src',
    'web/src',
    '--output-type',
    'json',
  ]
  const { stdout } = spawnSync(process.execPath, cruise, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 })
  const { totalCruised, violations } = JSON.parse(stdout).summary
  for (const { rule, from, to } of violations) console.error(`${rule.name}: ${from} → ${to}`)
  console.log(`${totalCruised} modules, ${violations.length} arrows that point the wrong way`)
  if (totalCruised < 20 || violations.length > 0) process.exit(1)
}

function step(name, work) {
  const started = performance.now()
  console.log(`\n── ${name}`)
  work()
  console.log(`   ${((performance.now() - started) / 1000).toFixed(1)} s`)
}

step('format and lint', () => runTool('@biomejs/biome', 'check', '.', '--error-on-warnings'))
step('wording', () => run(process.execPath, 'scripts/check-words.mjs', '--report'))
step('types', () => {
  runTool('typescript', '--noEmit')
  runTool('typescript', '--noEmit', '-p', 'web/tsconfig.json')
})
step('build', build)
step('types of the example', () => runTool('typescript', '--noEmit', '-p', 'examples/react-sidebar'))
step('first load of the web app', () => run(process.execPath, 'scripts/measure-web.mjs'))
step('direction of imports', checkArrows)
step('dead code', () => runTool('knip'))
step('generated documents', () => run(process.execPath, 'scripts/generate-reference.mjs', '--check'))
step('tests', () => runTool('vitest', 'run'))
step('package shape', () => {
  runTool('publint', '--strict')
  // A style sheet has no types.
  const without = ['--exclude-entrypoints', './react/theme.css']
  runTool('@arethetypeswrong/cli', '--pack', '.', '--profile', 'esm-only', ...without)
})
