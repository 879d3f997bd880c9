import { expect, test } from 'vitest'
import { type Memory, openMemory } from '../index.ts'

async function withMemory(run: (memory: Memory) => Promise<void>): Promise<void> {
  await using memory = await openMemory(':memory:')
  await run(memory)
}

const textOf = (content: unknown): string => JSON.stringify(content)

test('a memory block is part of every context of its workspace, and the receipt names it', () =>
  withMemory(async (memory) => {
    await memory.blocks.update('profile', 'Runs a bakery in Turin.')
    const { messages, receipt } = await memory.conversation('new').context('Hello')
    expect(textOf(messages)).toContain('profile: Runs a bakery in Turin.')
    const items = receipt.parts.flatMap((part) => part.items ?? [])
    expect(items).toMatchObject([{ kind: 'block', id: 'profile', reasons: [{ text: 'a memory block' }] }])
    const other = await memory.workspace('other').conversation('new').context('Hello')
    expect(textOf(other.messages)).not.toContain('bakery')
  }))

test('an update replaces one passage, and undo goes back version by version', () =>
  withMemory(async ({ blocks }) => {
    await blocks.update('project', 'Launch: 4 May.')
    await blocks.update('project', { replace: '4 May', text: '11 May', by: 'model' })
    expect(await blocks.get('project')).toMatchObject({ text: 'Launch: 11 May.', updatedBy: 'model' })
    expect(await blocks.history('project').toArray()).toMatchObject([
      { text: 'Launch: 11 May.' },
      { text: 'Launch: 4 May.', updatedBy: 'user' },
    ])
    expect(await blocks.undo('project')).toMatchObject({ text: 'Launch: 4 May.' })
    expect(await blocks.undo('project')).toBeUndefined()
    await expect(blocks.undo('project')).rejects.toThrow('there is no memory block "project"')
  }))

test('concurrent updates of different passages are all kept', () =>
  withMemory(async ({ blocks }) => {
    await blocks.update('list', 'a b c')
    await Promise.all(
      ['a', 'b', 'c'].map((text) => blocks.update('list', { replace: text, text: `${text}!` })),
    )
    expect((await blocks.get('list'))?.text).toBe('a! b! c!')
  }))

test('only the last 50 versions are kept', () =>
  withMemory(async ({ blocks }) => {
    for (let i = 1; i <= 53; i++) await blocks.update('count', String(i))
    const versions = await blocks.history('count').toArray()
    expect(versions.map(({ text }) => text)).toEqual(Array.from({ length: 50 }, (_, i) => String(53 - i)))
  }))

test.each([
  [{ text: 'x'.repeat(1001) }, 'has 1001 characters; the maximum is 1000'],
  [{ text: ' ' }, 'must not be empty'],
  [{ text: 'x', replace: 'cat' }, 'occurs 2 times'],
  [{ text: 'x', replace: 'bird' }, 'occurs 0 times'],
  [{ text: 'y'.repeat(995), replace: 'dog' }, 'the maximum is 1000'],
])('an update that cannot be made changes nothing: %#', (changes, reason) =>
  withMemory(async ({ blocks }) => {
    await blocks.update('pets', 'cat, dog, cat')
    await expect(blocks.update('pets', changes)).rejects.toThrow(reason)
    expect((await blocks.get('pets'))?.text).toBe('cat, dog, cat')
  }),
)

test('a twenty-first block is refused, and an update of the others is not', () =>
  withMemory(async ({ blocks }) => {
    for (let i = 0; i < 20; i++) await blocks.update(`block ${i}`, 'text')
    await expect(blocks.update('one more', 'text')).rejects.toThrow('already 20 memory blocks')
    await blocks.update('block 7', 'changed')
  }))

test('a model edits a block through the tool, and reads why its input was refused', () =>
  withMemory(async ({ blocks }) => {
    expect(await blocks.tool.execute({ name: 'profile', text: 'Plays the oboe.' })).toEqual({
      text: 'Plays the oboe.',
    })
    expect(await blocks.get('profile')).toMatchObject({ updatedBy: 'model' })
    expect(await blocks.tool.execute({ name: 'profile', replace: 'cello', text: 'oboe' })).toEqual({
      error: expect.stringContaining('occurs 0 times'),
    })
    expect(await blocks.tool.execute({ block: 'profile' })).toEqual({ error: expect.any(String) })
  }))

test('blocks and their history survive export and import', () =>
  withMemory(async (memory) => {
    await memory.blocks.update('profile', 'Lives in Porto.')
    await memory.blocks.update('profile', 'Lives in Braga.')
    const copy = memory.workspace('copy')
    await copy.import(memory.export())
    expect((await copy.blocks.history('profile').toArray()).map(({ text }) => text)).toEqual([
      'Lives in Braga.',
      'Lives in Porto.',
    ])
  }))
