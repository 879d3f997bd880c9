import { createReadStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { type Imported, isMemoryError } from '../../src/index.ts'
import { importFixture } from '../support/import-fixtures.ts'
import { makeZip } from '../support/make-zip.ts'
import { openTemporary } from '../support/open-temporary.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const quiet = { derive: { when: 'never' } } as const
const fixture = (name: string) => readFileSync(importFixture(name))
const CHATGPT = fixture('chatgpt-conversations.json')
const CLAUDE = fixture('claude-conversations.json')
const LINES = fixture('openai-messages.jsonl')

/** A folder with these files. */
function folderOf(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = temporaryFolder()
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

const fileOf = (name: string, content: string | Uint8Array) => join(folderOf({ [name]: content }), name)
const tryImport = async (path: string): Promise<Imported> => (await openTemporary(quiet)).import(path)

describe('a file', () => {
  test('is imported plain or compressed, with progress', async () => {
    const plain = await tryImport(fileOf('chats.jsonl', LINES))
    expect(plain).toMatchObject({ format: 'openai', messages: 4, problems: [] })
    const seen: [number, number][] = []
    const packed = gzipSync(LINES)
    const memory = await openTemporary(quiet)
    const onBytes = (done: number, total: number) => seen.push([done, total])
    expect(await memory.import(fileOf('chats.jsonl.gz', packed), { onBytes })).toEqual(plain)
    expect(seen.at(-1)).toEqual([packed.length, packed.length])
  })

  test('can be a stream', async () => {
    const memory = await openTemporary(quiet)
    const path = fileOf('chats.jsonl.gz', gzipSync(LINES))
    expect(await memory.import(createReadStream(path))).toMatchObject({ messages: 4 })
  })

  test('that is a truncated gzip file imports the complete part, and says so', async () => {
    const lines = Array.from({ length: 500 }, (_, i) => `{"role":"user","content":"${Math.sin(i)}"}`).join(
      '\n',
    )
    const packed = gzipSync(lines)
    const cut = await tryImport(fileOf('a.jsonl.gz', packed.subarray(0, packed.length - 1000)))
    expect(cut.messages).toBeGreaterThan(100)
    expect(cut.skipped).toBeGreaterThan(0)
    expect(cut.problems.map(({ reason }) => reason).join()).toMatch(/damaged|invalid JSON/)
  })

  test('that is not there is not found', async () => {
    const error = await tryImport(join(temporaryFolder(), 'nothing.json')).catch((reason) => reason)
    expect(isMemoryError(error) && error.code).toBe('not-found')
  })
})

describe('an archive', () => {
  test('of ChatGPT imports its chats, in one or several files, and nothing else', async () => {
    const [first, second, third] = JSON.parse(CHATGPT.toString())
    const imported = await tryImport(
      fileOf(
        'chatgpt.zip',
        makeZip([
          { name: 'export/conversations-000.json', content: JSON.stringify([first, second]) },
          { name: 'export/conversations-001.json', content: JSON.stringify([third]), isStored: true },
          { name: 'export/user.json', content: '{"id":"u"}' },
          { name: 'export/message_feedback.json', content: '[]' },
          { name: 'export/chat.html', content: '<html>' },
          { name: '__MACOSX/export/._conversations-000.json', content: 'junk' },
        ]),
      ),
    )
    expect(imported).toMatchObject({
      format: 'chatgpt',
      conversations: 2,
      messages: 13,
      forks: 1,
      skipped: 1,
    })
    expect(imported.problems.map(({ place }) => place)).toEqual([
      'export/conversations-000.json, conversation 2',
      'export/conversations-001.json, conversation 1, node 4',
    ])
  })

  test('of Claude imports conversations and memories', async () => {
    const imported = await tryImport(
      fileOf(
        'claude.zip',
        makeZip([
          { name: 'users.json', content: '[{"uuid":"u"}]' },
          { name: 'projects.json', content: '[{"uuid":"p","name":"x"}]' },
          { name: 'conversations.json', content: CLAUDE },
          { name: 'memories.json', content: fixture('claude-memories.json') },
        ]),
      ),
    )
    expect(imported).toMatchObject({ format: 'claude', conversations: 2, messages: 8, facts: 4 })
  })

  test('with an empty list of chats imports nothing without an error', async () => {
    const path = fileOf('a.zip', makeZip([{ name: 'conversations.json', content: '[]' }]))
    expect(await tryImport(path)).toMatchObject({ conversations: 0, skipped: 0 })
  })

  test('that is damaged is reported, and readable chats are imported', async () => {
    const zip = makeZip([{ name: 'conversations.json', content: CHATGPT }])
    const cut = await tryImport(fileOf('a.zip', zip.subarray(0, -100))).catch((reason) => reason)
    expect(cut.message).toContain('as a zip archive')
    expect(cut.hint).toContain('download')
    zip.fill(0xff, 500, 600)
    const early = await tryImport(fileOf('b.zip', zip)).catch((reason) => reason)
    expect(early.message).toContain('the archive is damaged')
    const lines = Array.from({ length: 9000 }, (_, i) => `{"role":"user","content":"${Math.sin(i)}"}`).join(
      '\n',
    )
    const large = makeZip([{ name: 'chats.jsonl', content: lines }])
    large.fill(0xff, large.length - 9000, large.length - 8900)
    const imported = await tryImport(fileOf('c.zip', large))
    expect(imported.messages).toBeGreaterThan(5000)
    expect(imported.problems.some(({ reason }) => reason.includes('the archive is damaged'))).toBe(true)
  })

  test('without an export, or in a stream, is rejected with a hint', async () => {
    const zip = makeZip([{ name: 'picture.png', content: 'x' }])
    const error = await tryImport(fileOf('a.zip', zip)).catch((reason) => reason)
    expect(error.message).toContain('no export found in')
    const memory = await openTemporary(quiet)
    const streamed = await memory.import(createReadStream(fileOf('b.zip', zip))).catch((reason) => reason)
    expect(streamed.hint).toBe('pass the path of the file instead')
  })
})

describe('a folder', () => {
  test('with an unpacked archive, or with archives in it, is read like the archive', async () => {
    const folder = folderOf({
      'conversations.json': CHATGPT,
      'user.json': '{"id":"u"}',
      'claude/conversations-000.zip': makeZip([{ name: 'conversations.json', content: CLAUDE }]),
    })
    expect(await tryImport(folder)).toMatchObject({ conversations: 4, messages: 21 })
  })

  test('of single exports imports all of them, and reports files that are not exports', async () => {
    const folder = folderOf({
      'garden.json': fixture('librechat-flat.json'),
      'bread.json': fixture('librechat-tree.json'),
      'package.json': '{"name":"not a chat"}',
      'broken.zip': 'PK nothing',
      'notes.txt': 'hello',
    })
    const imported = await tryImport(folder)
    expect(imported).toMatchObject({ format: 'librechat', conversations: 2 })
    expect(imported.problems.map(({ place }) => place)).toEqual(
      ['garden.json, message 4', 'package.json', 'broken.zip'].map((place) =>
        expect.stringContaining(place.split(', ')[0] as string),
      ),
    )
  })

  test('without any export is rejected', async () => {
    const error = await tryImport(folderOf({ 'a.json': '{"x":1}', 'b.json': '[1]' })).catch(
      (reason) => reason,
    )
    expect(error.message).toContain('unknown export format')
    const empty = await tryImport(temporaryFolder()).catch((reason) => reason)
    expect(empty.message).toContain('no export found in')
  })
})
