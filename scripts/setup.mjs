// Sets up a fresh clone with only Node and npm: installs packages as the lock file says and compiles, each only
// if something changed since the last time. This file has no dependencies.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
const stamps = join(root, '.setup')

/** Installs packages and builds, if they are missing or outdated. */
export function setUp() {
  requireNode()
  installPackages()
  build()
}

/** Runs a command in the project's folder; exits with its status if it fails. */
export function run(command, ...words) {
  const { status, error } = spawnSync(command, words, { cwd: root, stdio: 'inherit' })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}

/** Runs a tool of node_modules without npx, which is slower and may download. */
export function runTool(packageName, ...words) {
  run(process.execPath, toolPath(packageName), ...words)
}

/** The script that a package declares as its command. */
export function toolPath(packageName) {
  const folder = join(root, 'node_modules', packageName)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const [short] = packageName.split('/').slice(-1)
  const script = typeof bin === 'string' ? bin : (bin[short] ?? Object.values(bin)[0])
  return join(folder, script)
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  console.error(`Recollect needs Node 20.19 or newer; this is ${process.versions.node}.`)
  process.exit(1)
}

function installPackages() {
  const inputs = ['package.json', 'package-lock.json', 'web/package.json'].map((file) => join(root, file))
  const platform = `${process.platform}-${process.arch}-${process.versions.modules}`
  whenChanged({ name: 'packages', hash: hashOf(inputs, platform), product: 'node_modules' }, () => {
    console.log('Installing packages …')
    // Not `npm ci`: it requires the binaries of every platform in the lock file, and some registries lack a few.
    // This also installs the versions of the lock file and does not change it.
    run('npm', 'install', '--no-save', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error')
  })
}

/** Compiles src/ to dist/, conformance/ to dist/conformance, and web/ to dist/web. */
export function build() {
  compile()
  buildWeb()
}

function compile() {
  const inputs = [
    ...filesBelow(join(root, 'src')),
    ...filesBelow(join(root, 'conformance')),
    join(root, 'tsconfig.json'),
    join(root, 'tsconfig.build.json'),
  ]
  whenChanged({ name: 'build', hash: hashOf(inputs), product: 'dist/index.js' }, () => {
    console.log('Compiling …')
    removeBuilt()
    runTool('typescript', '-p', 'tsconfig.build.json')
    runTool('typescript', '-p', 'conformance')
    copyFileSync(join(root, 'src/adapters/react/theme.css'), join(root, 'dist/adapters/react/theme.css'))
  })
}

/** Keeps dist/web, which is built from other files. */
function removeBuilt() {
  const dist = join(root, 'dist')
  if (!existsSync(dist)) return
  for (const name of readdirSync(dist))
    if (name !== 'web') rmSync(join(dist, name), { recursive: true, force: true })
}

function buildWeb() {
  const inputs = [
    ...filesBelow(join(root, 'web')).filter((file) => !file.includes('node_modules')),
    ...filesBelow(join(root, 'src/adapters/react')),
    join(root, 'package-lock.json'),
    join(root, 'scripts/compress-web.mjs'),
  ]
  whenChanged({ name: 'web', hash: hashOf(inputs), product: 'dist/web/index.html' }, () => {
    console.log('Building the web app …')
    runTool('vite', 'build', 'web', '--config', 'web/vite.config.ts', '--logLevel', 'warn')
    run(process.execPath, 'scripts/compress-web.mjs')
  })
}

function whenChanged({ name, hash, product }, work) {
  const stamp = join(stamps, name)
  if (existsSync(join(root, product)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return
  work()
  mkdirSync(stamps, { recursive: true })
  writeFileSync(stamp, hash)
}

function hashOf(files, ...more) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(file.slice(root.length)).update(readFileSync(file))
  for (const text of more) hash.update(text)
  return hash.digest('hex')
}

function filesBelow(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
