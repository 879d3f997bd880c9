// `npm run check`: format, lint, wording, docs, types, import directions, dead code, generated docs and the shape of
// the package; then the tests. The checks before the tests run in two lanes, one for each of two cores. Every step
// runs even if another one failed, so that one run shows everything that is wrong.

import { spawn } from 'node:child_process'
import { build, root, runTool, toolPath } from './setup.mjs'

const script = (name, ...words) => [`scripts/${name}.mjs`, ...words]
const tool = (name, ...words) => [toolPath(name), ...words]

const LANES = [
  [
    ['types', tool('typescript', '--noEmit')],
    ['wording', script('check-words')],
    ['links and dependencies in docs', script('check-docs')],
    ['generated docs', script('generate-reference', '--check')],
    ['API report', script('api-report', '--check')],
  ],
  [
    ['format and lint', tool('@biomejs/biome', 'check', '.', '--error-on-warnings')],
    ['types of the web app', tool('typescript', '--noEmit', '-p', 'web/tsconfig.json')],
    ['types of the example', tool('typescript', '--noEmit', '-p', 'examples/react-sidebar')],
    ['first load of the web app', script('measure-web')],
    ['import directions', script('check-imports')],
    ['dead code', tool('knip')],
    ['shape of the package', script('check-package')],
  ],
]

const failed = []

/** Prints the output of a step when it ends, so that two lanes do not mix theirs. */
async function step(name, words) {
  const started = performance.now()
  const child = spawn(process.execPath, words, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (piece) => (output += piece))
  child.stderr.on('data', (piece) => (output += piece))
  const code = await new Promise((resolve) => child.on('close', resolve))
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`\n── ${name}: ${code === 0 ? 'ok' : 'FAILED'} (${seconds} s)\n${output.trimEnd()}`)
  if (code !== 0) failed.push(name)
}

async function runLane(steps) {
  for (const [name, words] of steps) await step(name, words)
}

build()
await Promise.all(LANES.map(runLane))
if (failed.length > 0) {
  console.error(`\nFailed: ${failed.join(', ')}`)
  process.exit(1)
}
if (!process.argv.includes('--no-tests')) {
  console.log('\n── tests')
  runTool('vitest', 'run')
}
