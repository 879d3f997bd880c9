// The scripts for shells, run by the shells themselves: bash always, zsh and fish where they are installed.

import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { useCommandLine } from '../support/command-line.ts'

const { recollect, folder } = useCommandLine()
const MAIN = join(import.meta.dirname, '../../dist/cli/main.js')

const isThere = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).status === 0

/** What a shell says, with `recollect` on its path. */
function ask(shell: string, script: string): readonly string[] {
  const bin = join(folder(), 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'recollect'), `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`)
  chmodSync(join(bin, 'recollect'), 0o755)
  const env = {
    ...process.env,
    HOME: folder(),
    PATH: `${bin}${delimiter}${process.env['PATH']}`,
    RECOLLECT_DB: join(folder(), 'memory.db'),
  }
  const run = spawnSync(shell, ['-c', script], { cwd: folder(), env, encoding: 'utf8' })
  expect(run.stderr).toBe('')
  return run.stdout.split('\n').filter((line) => line !== '')
}

/** How each shell is asked what it would offer after these words. */
const SHELLS: Readonly<Record<string, (words: readonly string[]) => readonly string[]>> = {
  bash: (words) =>
    ask(
      'bash',
      `source <(recollect completion bash)
       COMP_WORDS=(recollect ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
       _recollect recollect; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ),
  zsh: (words) =>
    ask(
      'zsh',
      `compdef() { : }; _files() { print FILES }; _describe() { print -l -- "\${(@P)2}" }
       source <(recollect completion zsh)
       words=(recollect ${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length + 1}
       _recollect`,
    ).map((line) => line.replace(/:.*/, '')),
  fish: (words) =>
    ask('fish', `recollect completion fish | source; complete -C 'recollect ${words.join(' ')}'`).map(
      (line) => line.replace(/\t.*/, ''),
    ),
}

describe.each(Object.entries(SHELLS))('%s', (shell, offered) => {
  test.skipIf(!isThere(shell))('completes commands, options, values and ids', () => {
    recollect(['record', 'trip-to-lisbon', 'We are in Lisbon in May'])
    recollect(['record', 'taxes', 'How does the tax return work?'])
    recollect(['--db', 'other.db', 'record', 'elsewhere', 'Hello'])
    expect(offered(['fa'])).toEqual(['facts'])
    expect(offered(['keys', '']).toSorted()).toEqual(['create', 'help', 'list', 'revoke'])
    expect(offered(['export', '--form'])).toEqual(['--format'])
    expect(offered(['export', '--format', ''])).toEqual(['json', 'markdown'])
    expect(offered(['show', ''])).toEqual(expect.arrayContaining(['taxes', 'trip-to-lisbon']))
    expect(offered(['recall', 'hotel', '--conversation', 'tr'])).toEqual(['trip-to-lisbon'])
    expect(offered(['--db', 'other.db', 'topics', ''])).toEqual(['elsewhere'])
    expect(offered(['completion', 'z'])).toEqual(['zsh'])
  })
})

test('completion prints no error if it cannot complete', () => {
  for (const words of [['show', ''], ['nonsense', ''], ['--db', 'nowhere.db', 'show', ''], []])
    expect(recollect(['complete-words', '--', ...words])).toMatchObject({ code: 0, error: '' })
  writeFileSync(join(folder(), 'memory.db'), 'no database')
  expect(ask('bash', 'recollect complete-words -- show "" 2>/dev/null')).toEqual([])
})

test('an unknown shell prints the supported ones', () => {
  const { code, error } = recollect(['completion', 'powershell'])
  expect(code).toBe(2)
  expect(error).toContain('bash, zsh, fish')
})
