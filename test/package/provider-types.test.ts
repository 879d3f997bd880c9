import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

test('the packages of OpenAI, Anthropic and Google accept our types, and ours accept their answers', () => {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const project = join(import.meta.dirname, 'provider-types')
  expect(() => execFileSync(process.execPath, [compiler, '-p', project], { stdio: 'inherit' })).not.toThrow()
})

test('our declarations import none of these packages', () => {
  const folder = join(root, 'dist/context/providers')
  const declarations = readdirSync(folder).filter((name) => name.endsWith('.d.ts'))
  expect(declarations).toContain('anthropic.d.ts')
  for (const name of declarations) {
    expect(readFileSync(join(folder, name), 'utf8')).not.toMatch(/from '(?!\.\.?\/)/)
  }
})
