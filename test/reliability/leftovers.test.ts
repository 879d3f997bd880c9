import { expect, onTestFinished, test } from 'vitest'
import { type Memory, type OpenOptions, openMemory } from '../../src/index.ts'
import { temporaryPath } from '../support/temporary-folder.ts'
import { waitUntil } from '../support/wait-until.ts'

async function open(path: string, options: OpenOptions): Promise<Memory> {
  const memory = await openMemory(path, options)
  onTestFinished(() => memory.close())
  return memory
}

test('messages of a process that died before deriving are picked up by another', async () => {
  const path = temporaryPath()
  const reader = await open(path, { derive: { rescanIntervalMs: 50 } })
  await reader.whenDerived()
  // A process that never derives leaves the same state as one that dies right after the commit.
  const writer = await open(path, { derive: { when: 'never' } })
  await writer.conversation('trip').record({ role: 'user', content: 'I am vegetarian.' })
  expect((await writer.maintenance.deriveStatus()).behind).toBe(1)
  await waitUntil(
    async () => (await writer.maintenance.deriveStatus()).behind === 0,
    'the message to be read',
  )
  expect((await reader.facts.list().toArray()).map(({ value }) => value).join()).toContain('vegetarian')
})
