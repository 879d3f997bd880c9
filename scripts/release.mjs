// `npm run release -- <version>`: prepares a release and publishes nothing. With `--dry-run` it changes nothing either.
//
// 1. The working tree is clean, the version is newer, package.json has no placeholder left.
// 2. CHANGELOG.md has something under "Unreleased"; that heading becomes the version and today's date.
// 3. `npm run check` and `npm run test:long` pass; `--skip-tests` leaves them out.
// 4. package.json and package-lock.json get the version; the package is packed and checked by publint and
//    Are the types wrong.
// 5. Prints the commands that commit, tag and publish.

import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run, setUp } from './setup.mjs'

const words = process.argv.slice(2)
const isDryRun = words.includes('--dry-run')
const version = words.find((word) => !word.startsWith('--'))

const read = (file) => readFileSync(join(root, file), 'utf8')

function stop(...lines) {
  for (const line of lines) console.error(line)
  process.exit(1)
}

/** A dry run prints what would stop the release, and continues. */
function require(isMet, problem) {
  if (isMet) return
  if (!isDryRun) stop(problem)
  console.warn(`Would stop here: ${problem}`)
}

function isNewer(next, current) {
  const [a, b] = [next, current].map((text) => text.split('-')[0].split('.').map(Number))
  const at = a.findIndex((part, index) => part !== b[index])
  return at === -1 ? current.includes('-') : a[at] > b[at]
}

function checkVersion(current) {
  if (version === undefined || !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))
    stop(
      'Usage: npm run release -- <version> [--dry-run] [--skip-tests]',
      'Example: npm run release -- 0.2.0',
    )
  const isFirst = !read('CHANGELOG.md').includes(`## ${current}`)
  require(isNewer(version, current) ||
    (isFirst && version === current), `${version} is not newer than ${current}`)
}

function checkTree() {
  const { stdout } = spawnSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' })
  require(stdout.trim() === '', 'the working tree has uncommitted changes')
}

function checkPlaceholders(manifest) {
  for (const field of ['repository', 'homepage', 'bugs'])
    require(!JSON.stringify(manifest[field]).includes('OWNER'), `replace OWNER in package.json's "${field}"`)
}

/** The changelog with a heading for this version. */
function datedChangelog() {
  const text = read('CHANGELOG.md')
  const entry = /^## Unreleased\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(text)?.[1]?.trim() ?? ''
  require(entry !== '', 'CHANGELOG.md has nothing under "## Unreleased"')
  const today = new Date().toISOString().slice(0, 10)
  return text.replace('## Unreleased\n', `## Unreleased\n\n## ${version} (${today})\n`)
}

function runChecks() {
  if (words.includes('--skip-tests')) return
  run(process.execPath, 'scripts/check.mjs')
  run(process.execPath, 'scripts/test-long.mjs')
}

function writeVersion(changelog) {
  writeFileSync(join(root, 'CHANGELOG.md'), changelog)
  run('npm', 'version', version, '--no-git-tag-version', '--allow-same-version')
}

function pack() {
  run(process.execPath, 'scripts/check-package.mjs')
  const { stdout } = spawnSync('npm', ['pack', '--json'], { cwd: root, encoding: 'utf8' })
  const [{ filename, size, entryCount }] = JSON.parse(stdout.slice(stdout.indexOf('[')))
  console.log(`${filename}: ${entryCount} files, ${(size / 1e6).toFixed(1)} MB`)
  if (isDryRun) rmSync(join(root, filename))
  return filename
}

setUp()
const manifest = JSON.parse(read('package.json'))
checkVersion(manifest.version)
checkTree()
checkPlaceholders(manifest)
const changelog = datedChangelog()
runChecks()
if (!isDryRun) writeVersion(changelog)
const file = pack()
console.log(`
${isDryRun ? 'Dry run: nothing was changed. The next steps would be:' : 'Ready. Next steps:'}
  git commit -am "build: release ${version}" && git tag v${version}
  npm publish ${file}
  git push --follow-tags`)
