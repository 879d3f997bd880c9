import { expect, test } from 'vitest'
import { type DocumentProgress, isMemoryError, type Memory, openMemory } from '../../src/index.ts'
import { withTuning } from '../../src/options/resolve-options.ts'
import { makeDocx, paragraph } from '../support/documents/make-docx.ts'
import { column, makePdf } from '../support/documents/make-pdf.ts'
import { findTraces } from '../support/find-traces.ts'
import { openTemporary, scrubsAtOnce } from '../support/open-temporary.ts'
import { readRaw } from '../support/sqlite-file.ts'

const HANDBOOK = `# Handbook

## Refunds

Money is paid back within 30 days of the return. Goods must be unused.

## Shipping

Parcels leave on the next working day.
`

const bytes = (text: string) => new TextEncoder().encode(text)

/** Everything that documents show of themselves. */
async function dump(memory: Memory): Promise<unknown> {
  const { items } = await memory.documents.list({ limit: 1000 })
  return Promise.all(
    items.map(async (document) => [
      document,
      await memory.documents.text(document.id),
      (await memory.documents.chunks(document.id, { limit: 1000 })).items,
    ]),
  )
}

test('a file is added, listed, read, split, replaced, attached and erased', async () => {
  const memory = await openTemporary()
  const { documents } = memory
  const added = await documents.add({ name: 'handbook.md', content: HANDBOOK })
  expect(added).toMatchObject({
    isNew: true,
    name: 'handbook.md',
    mediaType: 'text/markdown',
    format: 'markdown',
    version: 1,
    bytes: HANDBOOK.length,
    characters: HANDBOOK.length,
    chunkCount: 1,
    isWorkspaceWide: true,
    conversationIds: [],
    contentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    tokenizer: 'o200k',
  })
  const { isNew: _, ...document } = added
  expect(await documents.get(added.id)).toEqual(document)
  expect((await documents.list()).items).toEqual([document])
  expect(await documents.text(added.id)).toBe(HANDBOOK)
  const [chunk] = (await documents.chunks(added.id)).items
  expect(chunk).toMatchObject({
    documentId: added.id,
    version: 1,
    index: 0,
    headingPath: ['Handbook'],
    start: 0,
  })
  expect(chunk?.text).toBe(HANDBOOK.trimEnd())

  await documents.attach(added.id, { conversationId: 'trip' })
  await documents.detach(added.id)
  expect(await documents.get(added.id)).toMatchObject({ isWorkspaceWide: false, conversationIds: ['trip'] })
  expect(await memory.conversation('trip').documents.list().toArray()).toHaveLength(1)
  expect((await memory.conversation('trip').get())?.documents).toEqual([added.id])
  expect((await documents.list({ conversationId: 'other' })).items).toEqual([])

  const second = await documents.replace(added.id, { content: HANDBOOK.replace('30', '14') })
  expect(second).toMatchObject({ id: added.id, version: 2, isNew: true, conversationIds: ['trip'] })
  expect(await documents.text(added.id)).toContain('14 days')
  expect(await memory.statistics()).toMatchObject({ documents: 1, chunks: 1 })

  expect(await documents.erase(added.id)).toMatchObject({ documents: 1, isScrubbed: scrubsAtOnce() })
  expect(await documents.get(added.id)).toBeUndefined()
  expect((await memory.conversation('trip').get())?.documents).toEqual([])
  await expect(documents.text(added.id)).rejects.toMatchObject({ code: 'not-found' })
  await expect(documents.chunks(added.id)).rejects.toMatchObject({ code: 'not-found' })
})

test('files of every format are read from bytes', async () => {
  const { documents } = await openTemporary()
  const pdf = makePdf([[{ text: 'Mills', size: 24, y: 780 }, ...column(['Old mills turn slowly.'], 740)]])
  const files = {
    'a.txt': bytes('Old mills turn slowly.'),
    'b.md': bytes('# Mills\n\nOld mills turn slowly, as they did.'),
    'c.html': bytes('<h1>Mills</h1><p>Old mills turn slowly.'),
    'd.pdf': pdf,
    'e.docx': makeDocx(paragraph('Mills', 'berschrift1'), paragraph('Old mills turn slowly.')),
    'f.csv': bytes('name,speed\nold mills,slowly'),
    'g.json': bytes('{"mills": "turn slowly"}'),
    'h.ts': bytes('export function turn(): string {\n  return "slowly"\n}\n'),
  }
  const formats: string[] = []
  for (const [name, content] of Object.entries(files)) {
    const { id, format, isNew } = await documents.add({ name, content })
    expect(isNew, name).toBe(true)
    const [chunk] = (await documents.chunks(id)).items
    expect(chunk?.text, name).toContain('slowly')
    if (!/[af]\./.test(name)) expect(chunk?.headingPath, name).not.toEqual([])
    formats.push(format)
  }
  expect(formats).toEqual(['text', 'markdown', 'html', 'pdf', 'docx', 'csv', 'json', 'code'])
})

test('the same content is indexed once and can be attached several times', async () => {
  const { documents } = await openTemporary()
  const first = await documents.add({ name: 'a.md', content: HANDBOOK, conversationId: 'trip' })
  const again = await documents.add({ name: 'b.md', content: bytes(HANDBOOK), conversationId: 'walk' })
  expect(again).toMatchObject({ id: first.id, isNew: false, name: 'a.md', conversationIds: ['trip', 'walk'] })
  await documents.add({ name: 'c.md', content: HANDBOOK })
  expect((await documents.get(first.id))?.isWorkspaceWide).toBe(true)
  expect((await documents.list()).items).toHaveLength(1)
  const taken = documents.add({ name: 'd.md', content: HANDBOOK, id: 'mine' })
  await expect(taken).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining(first.id) })
  const same = await documents.replace(first.id, { content: HANDBOOK })
  expect(same).toMatchObject({ version: 1, isNew: false })
  expect(await documents.replace(first.id, { content: HANDBOOK, name: 'e.md' })).toMatchObject({
    version: 1,
    isNew: false,
    name: 'e.md',
  })
})

test('adding a custom id again refers to the same document', async () => {
  const { documents } = await openTemporary()
  await documents.add({ name: 'a.md', content: HANDBOOK, id: 'handbook' })
  expect(await documents.add({ name: 'a.md', content: HANDBOOK, id: 'handbook' })).toMatchObject({
    isNew: false,
  })
  const other = documents.add({ name: 'a.md', content: 'other words', id: 'handbook' })
  await expect(other).rejects.toMatchObject({ code: 'conflict', hint: expect.stringContaining('replace') })
  await expect(documents.replace('none', { content: 'x' })).rejects.toMatchObject({ code: 'not-found' })
})

test('adding the same file concurrently adds it once', async () => {
  const { documents } = await openTemporary()
  const files = Array.from({ length: 6 }, (_, i) => ({
    name: `${i}.md`,
    content: HANDBOOK,
    conversationId: `c${i}`,
  }))
  const added = await Promise.all(files.map((file) => documents.add(file)))
  expect(new Set(added.map(({ id }) => id)).size).toBe(1)
  expect(added.filter(({ isNew }) => isNew)).toHaveLength(1)
  const [document] = (await documents.list()).items
  expect(document?.conversationIds.toSorted()).toEqual(files.map(({ conversationId }) => conversationId))
})

test('a file that cannot be read leaves nothing behind', async () => {
  const memory = await openTemporary()
  const { documents } = memory
  await documents.add({ name: 'good.md', content: HANDBOOK, id: 'good' })
  const before = [await dump(memory), await memory.statistics()]
  const broken = {
    'encrypted.pdf': makePdf([column(['x'])], { isEncrypted: true }),
    'cut.pdf': makePdf([column(['x'])]).slice(0, 150),
    'cut.docx': makeDocx(paragraph('words')).slice(0, 200),
    'bad.json': bytes('{'),
    'bad.csv': bytes('a,"b'),
    'picture.txt': Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 1]),
    'empty.md': bytes(''),
  }
  for (const [name, content] of Object.entries(broken)) {
    for (const call of [
      () => documents.add({ name, content, conversationId: 'new' }),
      () => documents.replace('good', { name, content }),
    ]) {
      const error = await call().catch((thrown: unknown) => thrown)
      const code = name === 'picture.txt' ? 'unsupported-format' : 'invalid-input'
      expect(isMemoryError(error) && error.code, name).toBe(code)
      expect(isMemoryError(error) && error.message, name).toContain(`"${name}"`)
    }
  }
  expect([await dump(memory), await memory.statistics()]).toEqual(before)
  expect(await memory.conversation('new').get()).toBeUndefined()
})

test('input that is too large is rejected with a hint', async () => {
  const { documents } = await openTemporary(
    withTuning({ limits: { documentBytes: 1000 } }, { limits: { documentChunks: 2, tags: 1 } }),
  )
  const words = (count: number) => Array.from({ length: count }, (_, i) => `word${i}`).join(' ')
  await expect(documents.add({ name: 'a.txt', content: words(500) })).rejects.toMatchObject({
    code: 'too-large',
    hint: expect.stringContaining('limits.documentBytes'),
  })
  const small = { name: 'b.txt', content: words(120) }
  const memory = await openTemporary(
    withTuning({ rag: { chunkSize: 50, chunkOverlap: 10 } }, { limits: { documentChunks: 2 } }),
  )
  await expect(memory.documents.add(small)).rejects.toMatchObject({
    code: 'too-large',
    hint: expect.stringContaining('rag.chunkSize'),
  })
  await documents.add({ ...small, conversationId: 'trip' })
  const second = documents.add({ name: 'c.txt', content: 'other', conversationId: 'trip' })
  await expect(second).rejects.toMatchObject({
    code: 'too-large',
    message: expect.stringContaining('attached'),
  })
})

test('invalid input is rejected', async () => {
  const { documents } = await openTemporary()
  const bad: readonly object[] = [
    { name: '', content: 'x' },
    { name: 'a.md' },
    { name: 'a.md', content: 5 },
    { name: 'a.md', content: 'x', id: 'a\nb' },
    { name: 'a.md', content: 'x', conversationId: '' },
    { name: 'a.md', content: 'x', mediaType: 7 },
    { name: 'a.md', content: 'x', title: 'y' },
  ]
  for (const document of bad) {
    await expect(documents.add(document as never)).rejects.toMatchObject({ name: 'MemoryError' })
  }
  expect((await documents.list()).items).toEqual([])
})

test('progress is reported step by step, and the work can be aborted', async () => {
  const memory = await openTemporary()
  const lines = Array.from({ length: 20_000 }, (_, i) => `Line ${i} speaks of mills and of rivers.`)
  const content = lines.join('\n\n')
  const told: DocumentProgress[] = []
  const document = await memory.documents.add({
    name: 'a.txt',
    content,
    onProgress: (step) => told.push(step),
  })
  expect(new Set(told.map(({ step }) => step))).toEqual(new Set(['cutting', 'indexing']))
  const last = told.at(-1)
  expect(last).toEqual({ step: 'indexing', done: document.chunkCount, total: document.chunkCount })
  const controller = new AbortController()
  const stopped = memory.documents.replace(document.id, {
    content: `${content} more`,
    signal: controller.signal,
    onProgress: () => controller.abort(new Error('enough')),
  })
  await expect(stopped).rejects.toThrow('enough')
  expect((await memory.documents.get(document.id))?.version).toBe(1)
})

test('other calls are served while a large document is split', async () => {
  const memory = await openTemporary()
  const content = Array.from({ length: 20_000 }, (_, i) => `Line ${i} speaks of mills and of rivers.`).join(
    '\n\n',
  )
  let isDone = false
  const adding = memory.documents.add({ name: 'a.txt', content }).then(() => {
    isDone = true
  })
  let turns = 0
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve))
    turns += 1
  }
  await adding
  expect(turns).toBeGreaterThan(5)
})

test('a rebuild chunks documents again, with the current options', async () => {
  const path = (await openTemporary()).location
  const content = Array.from({ length: 200 }, (_, i) => `Line ${i} speaks of mills and of rivers.`).join(' ')
  const first = await openMemory(path)
  const { id, chunkCount } = await first.documents.add({ name: 'a.txt', content })
  const before = await dump(first)
  await first.maintenance.rebuild()
  expect(await dump(first)).toEqual(before)
  await first.close()
  const second = await openMemory(path, { rag: { chunkSize: 100, chunkOverlap: 20 }, tokenizer: 'cl100k' })
  expect((await second.documents.get(id))?.chunkCount).toBe(chunkCount)
  const told: number[] = []
  await second.maintenance.rebuild((done, total) => told.push(done / total))
  const document = await second.documents.get(id)
  expect(document).toMatchObject({ version: 1, tokenizer: 'cl100k' })
  expect(document?.chunkCount).toBeGreaterThan(2 * chunkCount)
  expect(await second.documents.text(id)).toBe(content)
  expect((await second.maintenance.check()).filter(({ problem }) => problem)).toEqual([])
  expect(told.every((share, i) => share >= (told[i - 1] ?? 0) && share <= 1)).toBe(true)
  await second.close()
})

test('erasing a document, or the conversation it belongs to, leaves no byte of it', async () => {
  const memory = await openTemporary()
  const [own, shared] = ['qwertzuiopasdfgh', 'yxcvbnmlkjhgfdsa'] as const
  const text = (word: string) => `# ${word}\n\n${`The ${word} turns. `.repeat(200)}`
  const first = await memory.documents.add({ name: `${own}.md`, content: text(own), conversationId: 'trip' })
  await memory.documents.replace(first.id, { content: text(`${own} again`) })
  const second = await memory.documents.add({ name: 'b.md', content: text(shared) })
  await memory.page('other').save({ activeFile: { id: first.id, name: own } })
  expect(await memory.conversation('trip').erase()).toMatchObject({
    documents: 1,
    isScrubbed: scrubsAtOnce(),
  })
  if (scrubsAtOnce()) expect(findTraces(readRaw(memory.location), [own])).toEqual([])
  expect((await memory.page('other').load()).activeFile).toBeNull()
  expect(await memory.documents.text(second.id)).toContain(shared)
  await memory.erase()
  if (scrubsAtOnce()) expect(findTraces(readRaw(memory.location), [shared])).toEqual([])
})

test('a workspace sees only its own documents', async () => {
  const memory = await openTemporary()
  const other = memory.workspace('other')
  const { id } = await memory.documents.add({ name: 'a.md', content: HANDBOOK, id: 'handbook' })
  expect(await other.documents.get(id)).toBeUndefined()
  expect(await other.documents.add({ name: 'a.md', content: HANDBOOK, id: 'handbook' })).toMatchObject({
    isNew: true,
  })
  await other.documents.erase('handbook')
  expect(await memory.documents.text(id)).toBe(HANDBOOK)
})

test('a fork sees the documents of the conversation it came from', async () => {
  const memory = await openTemporary()
  const trip = memory.conversation('trip')
  const { id } = await trip.record({ role: 'user', content: 'See the handbook.' })
  const document = await memory.documents.add({ name: 'a.md', content: HANDBOOK, conversationId: 'trip' })
  await trip.fork(id, { id: 'branch' })
  expect((await memory.documents.get(document.id))?.conversationIds).toEqual(['trip', 'branch'])
  expect(await trip.erase()).toMatchObject({ documents: 0 })
  expect((await memory.conversation('branch').documents.list().toArray()).map((each) => each.id)).toEqual([
    document.id,
  ])
})
