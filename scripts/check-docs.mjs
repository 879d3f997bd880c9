// Checks the documentation against the repository: every file that a page names or links to exists, and
// docs/dependencies.md has a line for each dependency. Decisions and the changelog are history and may
// name files that are gone.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize, relative } from 'node:path'
import { root } from './setup.mjs'

/** Files that readers make themselves, named in examples. */
const EXAMPLES = new Set(['chat.mjs', 'app.tsx', 'route.ts', 'server.mjs', 'memory.ts'])
const HISTORY = /^docs\/decisions\/|^CHANGELOG\.md$/

const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter(
  ({ parentPath }) => !/(?:^|\/)(?:node_modules|dist|\.git|\.setup)(?:\/|$)/.test(relative(root, parentPath)),
)
const files = new Set(
  entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name))),
)
const names = new Set([...files].map((file) => basename(file)))

const problems = []

function checkPage(page) {
  readFileSync(join(root, page), 'utf8')
    .split('\n')
    .forEach((line, index) => {
      const missing = [...namedFiles(line).filter(isMissing), ...brokenLinks(page, line)]
      for (const path of missing) problems.push(`${page}:${index + 1}: there is no ${path}`)
    })
}

/** Source files in backticks, and paths to anything else. */
function namedFiles(line) {
  const pattern =
    /`((?:[\w.-]+\/)*[\w.-]+\.(?:tsx?|mjs|c)|(?:src|conformance|web|docs|test|scripts|bench|evals|examples)\/[\w./-]+)`/g
  return [...line.matchAll(pattern)].map(([, path]) => path)
}

/** A path counts from the root or from src/; a bare file name may be anywhere. */
function isMissing(path) {
  if (!path.includes('/')) return !names.has(path) && !EXAMPLES.has(path)
  if (path.startsWith('dist/')) return false
  return !existsSync(join(root, path)) && !existsSync(join(root, 'src', path))
}

function brokenLinks(page, line) {
  return [...line.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target)
    .filter((target) => !/^(?:[a-z]+:|#|\/)/.test(target))
    .filter((target) => {
      const [path, anchor] = target.split('#')
      const file = normalize(join(dirname(page), path))
      if (!existsSync(join(root, file))) return true
      return anchor !== undefined && file.endsWith('.md') && !hasHeading(file, anchor)
    })
}

function hasHeading(file, anchor) {
  const headings = readFileSync(join(root, file), 'utf8').match(/^#+ .*$/gm) ?? []
  return headings.some((heading) => toAnchor(heading) === anchor)
}

const toAnchor = (heading) =>
  heading
    .replace(/^#+ /, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

function checkDependencies() {
  const page = readFileSync(join(root, 'docs/dependencies.md'), 'utf8')
  for (const manifest of ['package.json', 'web/package.json']) {
    const { dependencies, devDependencies, peerDependencies } = JSON.parse(
      readFileSync(join(root, manifest), 'utf8'),
    )
    for (const name of Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies }))
      if (name !== 'recollect' && !page.includes(`\`${name}\``))
        problems.push(`docs/dependencies.md: no line for \`${name}\` of ${manifest}`)
  }
}

const pages = [...files].filter(
  (file) => file.endsWith('.md') && !HISTORY.test(file) && !file.includes('fixtures/'),
)
pages.forEach(checkPage)
checkDependencies()
for (const problem of problems) console.error(problem)
console.log(`${pages.length} pages, ${problems.length} problems`)
if (problems.length > 0) process.exit(1)
