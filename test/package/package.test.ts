// What users get: the package as npm would publish it, installed in an empty folder.

import { execFileSync, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'

const root = join(import.meta.dirname, '../..')
const run = (command: string, words: readonly string[], cwd: string) =>
  execFileSync(command, words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

test('the packed package installs in an empty folder; every subpath imports and the command runs', async () => {
  const folder = temporaryFolder()
  const [packed] = JSON.parse(
    run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], root),
  )
  const paths: string[] = packed.files.map(({ path }: { path: string }) => path)
  expect(paths.filter((path) => /\.test\.|arbitrary|^src\/|^test\//.test(path))).toEqual([])
  expect(paths).toContain('README.md')

  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }')
  run(
    'npm',
    // React is the reader's to bring.
    ['install', '--no-audit', '--no-fund', '--loglevel=error', join(folder, packed.filename), 'react@19'],
    folder,
  )
  const { exports, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const subpaths = Object.keys(exports).filter((path) => !/\.(json|css)$/.test(path))
  expect(paths).toContain('dist/adapters/react/theme.css')
  const imports = subpaths.map((path) => `await import(${JSON.stringify(path.replace('.', 'recollect'))})`)
  writeFileSync(
    join(folder, 'use.js'),
    `const modules = [${imports.join(', ')}]
     const memory = await modules[0].openMemory('memory.db')
     await memory.conversation('trip').record({ role: 'user', content: 'I am vegetarian.' })
     console.log(modules.length, (await memory.messages.search('veg')).items.length)
     await memory.close()`,
  )
  expect(run(process.execPath, ['use.js'], folder)).toBe(`${subpaths.length} 1\n`)
  expect(run('npx', ['recollect', 'search', 'vegetarian'], folder)).toContain('I am vegetarian.')
  expect(run('npx', ['recollect', '--version'], folder)).toBe(`${version}\n`)
  expect(run('npx', ['recollect', '--help'], folder)).toContain('Memory for LLM chats')
  expect(run('npx', ['recollect', 'demo'], folder)).toContain('0 problems')
  expect(await healthOf(folder)).toEqual({ status: 'ok', pendingJobs: 0, deadJobs: 0, failures: 0 })
})

/** Starts the installed server, asks how it is, and ends it as a process manager would. */
async function healthOf(folder: string): Promise<unknown> {
  const env = { ...process.env, RECOLLECT_DB: 'memory.db' }
  const server = spawn(join(folder, 'node_modules/.bin/recollect'), ['serve', '--port', '0', '--json'], {
    cwd: folder,
    env,
  })
  let printed = ''
  server.stdout.on('data', (piece) => (printed += piece))
  const ended = new Promise((resolve) => server.once('exit', resolve))
  try {
    const addressOf = () => /"url": "([^"]+)"/.exec(printed)?.[1]
    await expect.poll(addressOf, { timeout: 60_000 }).toBeDefined()
    return await (await fetch(`${addressOf()}/api/health`)).json()
  } finally {
    server.kill('SIGTERM')
    expect(await ended).toBe(0)
  }
}
