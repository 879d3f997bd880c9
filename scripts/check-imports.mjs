// Checks the direction of imports with dependency-cruiser (rules: .dependency-cruiser.mjs).

import { spawnSync } from 'node:child_process'
import { root } from './setup.mjs'

/** dependency-cruiser also passes when it finds no modules, for instance with a TypeScript that it does not support. */
const LEAST_MODULES = 20

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
if (totalCruised < LEAST_MODULES || violations.length > 0) process.exit(1)
