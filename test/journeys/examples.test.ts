import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'

const root = join(import.meta.dirname, '../..')
const examples = readdirSync(join(root, 'examples')).filter((name) => name.endsWith('.mjs'))

test.each(examples)('examples/%s runs', (name) => {
  const file = join(temporaryFolder(), 'example.db')
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'examples', name), file], {
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toContain('tokens')
})

test('the code on the first screen of the README is the first example', () => {
  const example = readFileSync(join(root, 'examples/first-memory.mjs'), 'utf8')
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const lines = [
    "import { openMemory } from 'recollect'",
    "const trip = memory.conversation('trip')",
    'budgetTokens: 800',
  ]
  for (const line of lines) {
    expect(example).toContain(line)
    expect(readme).toContain(line)
  }
})

test('the guide to documents shows the calls of its example', () => {
  const example = readFileSync(join(root, 'examples/documents.mjs'), 'utf8')
  const guide = readFileSync(join(root, 'docs/guide/documents.md'), 'utf8')
  for (const call of [
    'documents.add({ name:',
    'documents.replace(handbook.id',
    'documents.chunks(handbook.id)',
    'documents.erase(handbook.id)',
  ]) {
    expect(example).toContain(call)
    expect(guide).toContain(call)
  }
})

test('the guide to facts shows the calls of its example', () => {
  const example = readFileSync(join(root, 'examples/facts.mjs'), 'utf8')
  const guide = readFileSync(join(root, 'docs/guide/facts.md'), 'utf8')
  const calls = [
    'facts.add({ attribute:',
    'facts.delete(',
    "preferences.update('units', 'metric')",
    'notes.add({',
  ]
  for (const call of calls) {
    expect(example).toContain(call)
    expect(guide).toContain(call)
  }
})

test('the guide to stores shows the calls of its example', () => {
  const example = readFileSync(join(root, 'examples/custom-store.mjs'), 'utf8')
  const guide = readFileSync(join(root, 'docs/guide/store.md'), 'utf8')
  for (const call of ['openMemory({ store: openInMemoryStore() })', 'runStoreConformance(']) {
    expect(example).toContain(call)
    expect(guide).toContain(call)
  }
})
