import { expect, test } from 'vitest'
import { openMemory } from '../../src/index.ts'

const TALK = [
  ['morning! so, the beehive on our roof', 'A beehive on a roof needs shade and a wind break.'],
  ['how many frames does the hive take', 'A standard hive takes ten frames.'],
  ['the queen is marked blue', 'Blue marks a queen of a year that ends in 5 or 0.'],
  ['when do we harvest honey from the hive', 'Harvest honey when most cells are capped.'],
] as const

async function tell(length: number) {
  const memory = await openMemory(':memory:')
  const bees = memory.conversation('bees')
  for (const [question, answer] of TALK.slice(0, length))
    await bees.record([
      { role: 'user', content: question },
      { role: 'assistant', content: answer },
    ])
  await memory.maintenance.rebuild()
  return { memory, bees }
}

test('a title is updated once the subject of a conversation is clear', async () => {
  const { memory, bees } = await tell(4)
  const { title } = (await bees.get()) ?? {}
  expect(title).toMatch(/hive/i)
  expect(title).not.toMatch(/morning/i)
  await memory.close()
})

test('a title set by the user stays', async () => {
  const { memory, bees } = await tell(2)
  await bees.update({ title: 'Roof project' })
  for (const [question, answer] of TALK.slice(2))
    await bees.record([
      { role: 'user', content: question },
      { role: 'assistant', content: answer },
    ])
  await memory.maintenance.rebuild()
  expect((await bees.get())?.title).toBe('Roof project')
  await memory.close()
})
