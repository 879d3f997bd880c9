// Version 0.1 wrote tool parts as `callId`, `tool`, `arguments` and `result`. Its files and exports are read with the
// current names. The file and the export were written by that version and never change.

import { copyFileSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { aKey, at, findIds, findProblems, readAll } from '../../conformance/store/samples.ts'
import { messageId, workspaceId } from '../../src/domain/ids.ts'
import { openMemory } from '../../src/index.ts'
import { openStore, readRaw } from '../support/sqlite-file.ts'
import { temporaryPath } from '../support/temporary-folder.ts'

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url))

const TEAM = workspaceId('team')
const harbour = aKey('harbour', TEAM)

function copyOldFile(): string {
  const path = temporaryPath()
  copyFileSync(fixture('legacy/schema-3.db'), path)
  return path
}

const call = (i: number) => [
  { type: 'tool-call', toolCallId: `c${i}`, toolName: 'berth', input: { ship: `Quillfeather${i}` } },
]
const result = (i: number) => [
  { type: 'tool-result', toolCallId: `c${i}`, toolName: 'berth', output: { berth: `Zanzibarium${i}` } },
]

test('tool parts of an old file are read with their new names, compressed or not', async () => {
  const store = await openStore({ path: copyOldFile() })
  const contents = (await readAll(store, harbour)).map(({ content }) => content)
  expect(await store.compressedPositions(harbour)).not.toEqual([])
  expect([contents[1], contents[2], contents[5], contents[6]]).toEqual([
    call(1),
    result(1),
    call(2),
    result(2),
  ])
  expect(await findProblems(store)).toEqual([])
})

test('tool parts of an old file are found by words and recalled', async () => {
  const path = copyOldFile()
  const store = await openStore({ path })
  for (const i of [1, 2])
    expect(await findIds(store, `zanzibarium${i}`, { workspace: TEAM })).toEqual([`result-${i}`])
  await store.close()
  const memory = await openMemory(path, { workspace: 'team' })
  const { items } = await memory.recall('Which ship is in Zanzibarium2?')
  expect(items.flatMap(({ messageIds }) => messageIds)).toContain('result-2')
  await memory.close()
})

test('an append of the old version can be retried, with old or new part names', async () => {
  const path = copyOldFile()
  const memory = await openMemory(path, { workspace: 'team' })
  const conversation = memory.conversation('harbour')
  const before = await conversation.record({ id: 'result-2', role: 'tool', content: result(2) as never })
  expect(before.position).toBe(6)
  const old = [{ type: 'tool-call', callId: 'c1', tool: 'berth', arguments: { ship: 'Quillfeather1' } }]
  expect(await conversation.record({ id: 'call-1', role: 'assistant', content: old as never })).toMatchObject(
    {
      position: 1,
      content: call(1),
    },
  )
  const other = conversation.record({ id: 'result-2', role: 'tool', content: result(3) as never })
  await expect(other).rejects.toMatchObject({ code: 'conflict' })
  await memory.close()
})

test.each([1, 2])('erasing old tool messages leaves no byte and no index entry of them (%i)', async (i) => {
  const path = copyOldFile()
  const store = await openStore({ path })
  for (const id of [`call-${i}`, `result-${i}`]) {
    expect((await store.eraseMessage(TEAM, messageId(id), at(9))).isScrubbed).toBe(true)
  }
  expect(await findIds(store, `zanzibarium${i}`, { workspace: TEAM })).toEqual([])
  expect(await findIds(store, `quillfeather${i}`, { workspace: TEAM })).toEqual([])
  expect(await findProblems(store)).toEqual([])
  await store.close()
  const bytes = readRaw(path).toString('latin1').toLowerCase()
  for (const word of [`quillfeather${i}`, `zanzibarium${i}`]) expect(bytes).not.toContain(word)
  expect(bytes).toContain(`zanzibarium${3 - i}`)
})

test('a rebuilt index finds old tool parts', async () => {
  const store = await openStore({ path: copyOldFile() })
  await store.rebuild()
  expect(await findIds(store, 'quillfeather1', { workspace: TEAM })).toEqual(['call-1'])
  expect(await findProblems(store)).toEqual([])
})

test('an export of the old version is imported with new names of tool parts', async () => {
  const path = temporaryPath()
  const memory = await openMemory(path, { workspace: 'team' })
  const pieces = async function* () {
    yield readFileSync(fixture('exports/version-0.1.json'), 'utf8')
  }
  await memory.import(pieces())
  await memory.import(pieces())
  await memory.close()
  const store = await openStore({ path })
  const contents = (await readAll(store, harbour)).map(({ content }) => content)
  expect(contents).toHaveLength(8)
  expect([contents[1], contents[2]]).toEqual([call(1), result(1)])
  expect(await findIds(store, 'zanzibarium2', { workspace: TEAM })).toEqual(['result-2'])
})
