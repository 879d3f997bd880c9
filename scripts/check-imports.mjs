// Checks imports: their direction with dependency-cruiser (rules: .dependency-cruiser.mjs), and that scripts which use
// the built library import files and names that exist. TypeScript does not check those.

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './setup.mjs'

/** dependency-cruiser also passes when it finds no modules, for instance with a TypeScript that it does not support. */
const LEAST_MODULES = 20

function checkDirections() {
  const program = 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'
  const words = [program, 'src', 'conformance', 'web/src', '--output-type', 'json']
  const { stdout } = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 })
  const { totalCruised, violations } = JSON.parse(stdout).summary
  for (const { rule, from, to } of violations) console.error(`${rule.name}: ${from} → ${to}`)
  console.log(`${totalCruised} modules, ${violations.length} imports in the wrong direction`)
  return totalCruised >= LEAST_MODULES && violations.length === 0
}

/** Named imports of built files in the scripts of these folders. */
function findDistImports() {
  return ['bench', 'evals', 'examples', 'scripts', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((name) => name.endsWith('.mjs'))
      .flatMap((name) => {
        const file = join(folder, name)
        const text = readFileSync(join(root, file), 'utf8')
        return [...text.matchAll(/\{([^{}]*)\} (?:from|= await import\() ?'(\.[^']*\/dist\/[^']*)'/g)].map(
          ([, names, path]) => ({ file, names: toNames(names), target: join(root, dirname(file), path) }),
        )
      }),
  )
}

const toNames = (list) =>
  list
    .split(',')
    .map((name) => name.trim().split(/\s+as\s+|:/)[0])
    .filter((name) => name !== '')

async function findMissing({ names, target }) {
  if (!existsSync(target)) return [target.slice(root.length)]
  const exported = await import(target)
  return names.filter((name) => !(name in exported))
}

async function checkDistImports() {
  let missing = 0
  for (const imported of findDistImports())
    for (const name of await findMissing(imported)) {
      console.error(`${imported.file}: ${name} does not exist in the built library`)
      missing += 1
    }
  return missing === 0
}

const results = [checkDirections(), await checkDistImports()]
process.exit(results.every(Boolean) ? 0 : 1)
