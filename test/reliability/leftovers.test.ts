import { expect, onTestFinished, test } from 'vitest'
import { type Memory, type OpenOptions, openMemory } from '../../src/index.ts'
import { temporaryPath } from '../support/temporary-folder.ts'
import { waitUntil } from '../support/wait-until.ts'

async function open(path: string, options: OpenOptions): Promise<Memory> {
  const memory = await openMemory(path, options)
  onTestFinished(() => memory.close())
  return memory
}

test('what another process recorded and did not live to read is read after a while', async () => {
  const path = temporaryPath()
  const reader = await open(path, { derive: { leftoversMs: 50 } })
  await reader.whenDerived()
  // One that derives nothing leaves what one leaves that dies right after the commit.
  const writer = await open(path, { derive: { when: 'never' } })
  await writer.conversation('trip').record({ role: 'user', content: 'I am vegetarian.' })
  expect((await writer.maintenance.deriveStatus()).behind).toBe(1)
  await waitUntil(
    async () => (await writer.maintenance.deriveStatus()).behind === 0,
    'the message to be read',
  )
  expect((await reader.facts.list().toArray()).map(({ value }) => value).join()).toContain('vegetarian')
})
