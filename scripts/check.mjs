// `npm run check`: format, lint, wording, types, import directions, dead code, generated docs, tests and the
// shape of the package. Quick checks come first.

import { spawnSync } from 'node:child_process'
import { checkPackage } from './check-package.mjs'
import { build, root, run, runTool } from './setup.mjs'

/** dependency-cruiser also passes when it finds no modules, for instance with a TypeScript that it does not support. */
function checkImports() {
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
  console.log(`${totalCruised} modules, ${violations.length} imports in the wrong direction`)
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
step('import directions', checkImports)
step('dead code', () => runTool('knip'))
step('generated docs', () => run(process.execPath, 'scripts/generate-reference.mjs', '--check'))
step('tests', () => runTool('vitest', 'run'))
step('package shape', checkPackage)
