import { expect, test } from 'vitest'
import { openTemporary } from '../../test/support/open-temporary.ts'
import { readRaw } from '../../test/support/sqlite-file.ts'
import { temporaryPath } from '../../test/support/temporary-folder.ts'
import { openMemory } from '../index.ts'

test('a valid key is verified, with its workspace and scope', async () => {
  const memory = await openTemporary()
  const { key, ...made } = await memory.workspace('team').keys.create({ name: 'web', scope: 'read' })
  expect(await memory.keys.verify(key)).toEqual(made)
  expect(made).toMatchObject({ workspace: 'team', name: 'web', scope: 'read' })
  expect(await memory.workspace('team').keys.list().toArray()).toMatchObject([made])
  expect(await memory.keys.list().toArray()).toEqual([])
  expect(await memory.keys.list({ allWorkspaces: true }).toArray()).toMatchObject([made])
})

test('every key is unique and has 256 random bits', async () => {
  const memory = await openTemporary()
  const keys = await Promise.all(Array.from({ length: 20 }, () => memory.keys.create()))
  expect(new Set(keys.map(({ key }) => key)).size).toBe(20)
  for (const { key } of keys) expect(Buffer.from(key.slice(-43), 'base64url')).toHaveLength(32)
})

test('a modified or truncated key, or one with another id, is rejected', async () => {
  const memory = await openTemporary()
  const [{ key }, other] = [await memory.keys.create(), await memory.keys.create()]
  const last = key.endsWith('A') ? 'B' : 'A'
  const wrong = [
    '',
    'recollect_',
    key.slice(0, -1),
    `${key}A`,
    key.slice(0, -1) + last,
    key.toUpperCase(),
    ` ${key}`,
    key.slice(-43),
    key.replace(/_[0-9a-z]{26}_/, `_${other.id}_`),
    key.replace(/_[0-9a-z]{26}_/, `_${'0'.repeat(26)}_`),
  ]
  for (const text of wrong) expect(await memory.keys.verify(text), text).toBeUndefined()
})

test('a revoked key is rejected at once by every process; another workspace cannot revoke it', async () => {
  const path = temporaryPath()
  const [one, other] = [await openMemory(path), await openMemory(path)]
  const { key, id } = await one.keys.create()
  expect(await other.keys.verify(key)).toMatchObject({ id })
  expect(await one.workspace('team').keys.delete(id)).toBe(false)
  expect(await other.keys.verify(key)).toMatchObject({ id })
  expect(await one.keys.delete(id)).toBe(true)
  expect(await other.keys.verify(key)).toBeUndefined()
  expect(await one.keys.delete(id)).toBe(false)
  await one.close()
  await other.close()
})

test('the secret of a key is in no file', async () => {
  const path = temporaryPath()
  const memory = await openMemory(path)
  const { key, id } = await memory.keys.create()
  expect(await memory.keys.verify(key)).toBeDefined()
  const raw = readRaw(path).toString('latin1')
  expect(raw).toContain(id)
  expect(raw).not.toContain(key.slice(-43))
  expect(JSON.stringify(await memory.keys.list().toArray())).not.toContain(key.slice(-43))
  await memory.close()
})

test('the last use is stored to the minute', async () => {
  let minutes = 0
  const clock = () => new Date(Date.UTC(2026, 4, 1, 12, 0) + minutes * 60_000)
  const memory = await openTemporary({ clock })
  const { key } = await memory.keys.create()
  const lastUse = async () => (await memory.keys.list().toArray())[0]?.lastUsedAt?.toISOString()
  expect(await lastUse()).toBeUndefined()
  minutes = 1
  await memory.keys.verify(key)
  await expect.poll(lastUse).toBe('2026-05-01T12:01:00.000Z')
  minutes = 1.5
  await memory.keys.verify(key)
  await memory.whenDerived()
  expect(await lastUse()).toBe('2026-05-01T12:01:00.000Z')
  minutes = 3
  await memory.keys.verify(key)
  await expect.poll(lastUse).toBe('2026-05-01T12:03:00.000Z')
})

test('keys are erased with their workspace and are not part of an export', async () => {
  const memory = await openTemporary()
  await memory.conversation('trip').record({ role: 'user', content: 'Hello' })
  const { key, id } = await memory.keys.create({ name: 'Vexillology' })
  let text = ''
  for await (const piece of memory.export()) text += piece
  expect(text).not.toContain(id)
  expect(text).not.toContain('Vexillology')
  await memory.erase()
  expect(await memory.keys.verify(key)).toBeUndefined()
})

test.each([
  [{ scope: 'owner' }, /scope/],
  [{ name: '' }, /name/],
  [{ name: 'two\nlines' }, /name/],
  [{ workspace: 'team' }, /unknown field "workspace"/],
])('a key of %j is rejected', async (options, message) => {
  const memory = await openTemporary()
  await expect(memory.keys.create(options as never)).rejects.toThrow(message)
  expect(await memory.keys.list().toArray()).toEqual([])
})
