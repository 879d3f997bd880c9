// Runs the tests on several versions of Node and writes the result to docs/reference/nodes.md:
//
//   npm run test:nodes              Node 20, 22 and 24
//   npm run test:nodes -- 22        only this version; docs/reference/nodes.md stays as it is
//   npm run test:nodes -- test/http only these tests, on all versions
//
// npm's package `node` provides the versions, in a temporary folder. Newer ones use Node's own SQLite.
// Tests of the web app, of PostgreSQL and of crashes do not depend on the version and are left out.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, setUp } from './setup.mjs'

const VERSIONS = ['20', '22', '24']
const words = process.argv.slice(2)
const isVersion = (word) => /^\d+(?:\.\d+)*$/.test(word)
const named = words.filter(isVersion)
const paths = words.filter((word) => !isVersion(word))
const tests = paths.length > 0 ? paths : ['src', 'test/conformance', 'test/journeys', 'test/package']
const PAGE = join(root, 'docs/reference/nodes.md')

/** Runs the tests on one version; `passed`, `failed` and `skipped` are numbers of tests. */
function testOn(version) {
  const folder = mkdtempSync(join(tmpdir(), `recollect-node-${version}-`))
  try {
    const node = installNode(version, folder)
    const exact = ask(node, 'process.versions.node')
    console.log(`\n── Node ${exact}`)
    const report = join(folder, 'report.json')
    const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'all', ...tests]
    const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`]
    const started = performance.now()
    const { status } = spawnSync(node, [...vitest, ...reporters], { cwd: root, stdio: 'inherit' })
    const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8'))
    return {
      node: exact,
      sqlite: ask(node, SQLITE_VERSION),
      passed: numPassedTests,
      failed: numFailedTests,
      skipped: numPendingTests,
      minutes: (performance.now() - started) / 60_000,
      isGreen: status === 0,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function installNode(version, folder) {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', ['install', '--prefix', folder, ...quiet, `node@${version}`], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(1)
  return join(folder, 'node_modules/.bin/node')
}

/** Which SQLite Recollect uses on this Node. */
const SQLITE_VERSION = `process.versions.sqlite === undefined ? 'bundled' : 'Node ' + process.versions.sqlite`

const ask = (node, expression) => spawnSync(node, ['-p', expression], { encoding: 'utf8' }).stdout.trim()

function toPage(results) {
  const rows = results.map(
    ({ node, sqlite, passed, failed, skipped, minutes }) =>
      `| ${node} | ${sqlite} | ${passed} | ${failed} | ${skipped} | ${minutes.toFixed(1)} min |`,
  )
  return `# Versions of Node

The last result of \`npm run test:nodes\`, which writes this page: the tests in ${tests.map((name) => `\`${name}\``).join(', ')} on each version of Node. Date: ${new Date().toISOString().slice(0, 10)}.

| Node | SQLite | passed | failed | skipped | time |
| --- | --- | ---: | ---: | ---: | ---: |
${rows.join('\n')}
`
}

setUp()
const results = (named.length > 0 ? named : VERSIONS).map(testOn)
if (named.length === 0) writeFileSync(PAGE, toPage(results))
console.table(results)
process.exit(results.every(({ isGreen }) => isGreen) ? 0 : 1)
