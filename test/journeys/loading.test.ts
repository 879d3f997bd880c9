// Rules and lists of words take longer to load than a file to open: they come when there is something to derive.

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openMemory } from '../../src/index.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const SCRIPT = join(import.meta.dirname, '../support/open-and-tell.mjs')

/** For each step, whether the rules were there after it. */
function openInNewProcess(path: string, when: string, ...steps: readonly string[]): unknown {
  return JSON.parse(execFileSync(process.execPath, [SCRIPT, path, when, ...steps], { encoding: 'utf8' }))
}

async function recordOne(path: string, when: 'at-once' | 'never'): Promise<void> {
  const memory = await openMemory(path, { derive: { when } })
  await memory.conversation('chat').record({ role: 'user', content: 'I live in Porto.' })
  await memory.close()
}

test('with derivation off, rules are not loaded until a context needs facts', () => {
  const path = join(temporaryFolder(), 'memory.db')
  expect(openInNewProcess(path, 'never', 'open', 'record', 'search', 'wait', 'context')).toEqual({
    open: false,
    record: false,
    search: false,
    wait: false,
    context: true,
  })
})

test('rules are loaded by the first message, not on opening', () => {
  const path = join(temporaryFolder(), 'memory.db')
  expect(openInNewProcess(path, 'at-once', 'open', 'record')).toEqual({ open: false, record: true })
})

test('if everything is derived, rules are loaded when they are first needed', async () => {
  const path = join(temporaryFolder(), 'memory.db')
  await recordOne(path, 'at-once')
  expect(openInNewProcess(path, 'at-once', 'open', 'wait', 'facts')).toEqual({
    open: false,
    wait: false,
    facts: true,
  })
})

test('pending derivations run in the background', async () => {
  const path = join(temporaryFolder(), 'memory.db')
  await recordOne(path, 'never')
  expect(openInNewProcess(path, 'background', 'wait')).toEqual({ wait: true })
  const memory = await openMemory(path)
  expect(await memory.maintenance.deriveStatus()).toMatchObject({ behind: 0, failures: [] })
  await memory.close()
})
