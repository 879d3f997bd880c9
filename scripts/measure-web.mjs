// How much JavaScript and CSS a first visit loads, compressed with gzip: the files that the page references and their
// static imports. Fails above the limit. Code that is loaded later (highlighting, maths, charts, pages) does not count.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { root } from './setup.mjs'

const LIMIT_BYTES = 300 * 1024
const folder = join(root, 'dist/web')
const sizes = new Map()

function add(path) {
  if (sizes.has(path)) return
  const text = readFileSync(join(folder, path), 'utf8')
  sizes.set(path, gzipSync(text, { level: 9 }).length)
  if (!path.endsWith('.js')) return
  const imported = /(?:^|[;}\s])(?:import|export)(?:[^"'()]*?from)?\s*["']\.\/([\w.-]+\.js)["']/g
  for (const [, name] of text.matchAll(imported)) add(`assets/${name}`)
}

const page = readFileSync(join(folder, 'index.html'), 'utf8')
for (const [, path] of page.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)) add(path)
const script = [...sizes].filter(([path]) => path.endsWith('.js')).reduce((sum, [, bytes]) => sum + bytes, 0)
const kilobytes = (bytes) => `${(bytes / 1024).toFixed(1)} kB`
for (const [path, bytes] of sizes) console.log(`  ${kilobytes(bytes).padStart(9)}  ${path}`)
console.log(
  `first load: ${kilobytes(script)} of JavaScript with gzip; the limit is ${kilobytes(LIMIT_BYTES)}`,
)
if (script > LIMIT_BYTES) process.exit(1)
