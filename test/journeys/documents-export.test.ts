import { expect, test } from 'vitest'
import type { Memory } from '../../src/index.ts'
import { makeDocx, paragraph, table } from '../support/documents/make-docx.ts'
import { collectText, inPieces, openTemporary } from '../support/open-temporary.ts'

async function fill(memory: Memory): Promise<void> {
  const { documents } = memory
  await documents.add({
    name: 'all.md',
    content: '# Für alle 😀\r\n\r\nOld "mills" turn.\n\n- one\n- two',
    id: 'all',
  })
  await documents.replace('all', { content: '# Für alle 😀\r\n\r\nNew "mills" turn.\n\n- one\n- two' })
  const rows = [['name', 'age'], ...Array.from({ length: 60 }, (_, i) => [`mill ${i}`, String(i)])]
  const docx = makeDocx(paragraph('Mills', 'berschrift1'), table(rows))
  await documents.add({ name: 'mills.docx', content: docx, id: 'mills', conversationId: 'trip' })
  await documents.add({
    name: 'data.json',
    content: '{"a": {"b": [1, 2]}}',
    id: 'data',
    conversationId: 'walk',
  })
  await documents.attach('mills', { conversationId: 'walk' })
  await memory.conversation('trip').record({ role: 'user', content: 'See the mills.' })
}

async function dump(memory: Memory): Promise<unknown> {
  const { items } = await memory.documents.list({ limit: 1000 })
  const sorted = items.toSorted((a, b) => a.id.localeCompare(b.id))
  return Promise.all(
    sorted.map(async ({ conversationIds, ...document }) => [
      document,
      conversationIds.toSorted(),
      await memory.documents.text(document.id),
      (await memory.documents.chunks(document.id, { limit: 1000 })).items,
    ]),
  )
}

const problemsOf = async (memory: Memory) =>
  (await memory.maintenance.check()).filter(({ problem }) => problem)

test('documents are exported and imported without loss, and only once', async () => {
  const [source, target] = [await openTemporary(), await openTemporary()]
  await fill(source)
  const exported = await collectText(source.export())
  const imported = await target.import(inPieces(exported, 777))
  expect(imported).toMatchObject({ documents: 3, conversations: 2 })
  expect(await dump(target)).toEqual(await dump(source))
  expect(await problemsOf(target)).toEqual([])
  expect(await target.import(inPieces(exported))).toMatchObject({
    documents: 0,
    conversations: 0,
    messages: 0,
  })
  expect(await dump(target)).toEqual(await dump(source))
  expect(JSON.parse(await collectText(target.export())).documents).toHaveLength(3)
})

test('a dry run counts them', async () => {
  const [source, target] = [await openTemporary(), await openTemporary()]
  await fill(source)
  const exported = await collectText(source.export())
  expect(await target.import(inPieces(exported), { dryRun: true })).toMatchObject({ documents: 3 })
  expect((await target.documents.list()).items).toEqual([])
})

test('imported documents are split with the options of the target memory', async () => {
  const source = await openTemporary()
  const target = await openTemporary({ rag: { chunkSize: 60, chunkOverlap: 10 } })
  await fill(source)
  await target.import(inPieces(await collectText(source.export())))
  const [before, after] = [await source.documents.get('mills'), await target.documents.get('mills')]
  expect(after?.chunkCount).toBeGreaterThan((before?.chunkCount ?? 0) * 2)
})

test('exporting one conversation includes its documents', async () => {
  const [source, target] = [await openTemporary(), await openTemporary()]
  await fill(source)
  await target.import(inPieces(await collectText(source.export({ conversationId: 'walk' }))))
  const { items } = await target.documents.list()
  expect(items.map(({ id }) => id).toSorted()).toEqual(['data', 'mills'])
  expect(await target.conversation('walk').documents.list().toArray()).toHaveLength(2)
})

test('existing conversations stay unchanged', async () => {
  const [source, target] = [await openTemporary(), await openTemporary()]
  await fill(source)
  await target.documents.add({ name: 'mine.md', content: 'My own words.', id: 'all' })
  const exported = await collectText(source.export())
  expect(await target.import(inPieces(exported))).toMatchObject({ documents: 2 })
  expect(await target.documents.text('all')).toBe('My own words.')
})

test('a Markdown export contains the text of documents', async () => {
  const source = await openTemporary()
  await fill(source)
  const markdown = await collectText(source.export({ format: 'markdown' }))
  expect(markdown).toContain('# all.md\n\nDocument `all` · version 2')
  expect(markdown).toContain('New "mills" turn.')
})

test('a document that was tampered with is rejected, and the error names it', async () => {
  const source = await openTemporary()
  await fill(source)
  const exported = JSON.parse(await collectText(source.export()))
  const [document] = exported.documents.filter(({ id }: { id: string }) => id === 'all')
  const bad = [
    { contentHash: 'x' },
    { format: 'exe' },
    { text: 5 },
    { text: 'a\u0000b', blocks: [] },
    { blocks: [['paragraph', 0, 1e9]] },
    { blocks: [['paragraph', 5, 3]] },
    {
      blocks: [
        ['paragraph', 3, 5],
        ['paragraph', 0, 2],
      ],
    },
    { blocks: [['chapter', 0, 2]] },
    { blocks: [7] },
    { version: -1 },
    { createdAt: 'never' },
    { isWorkspaceWide: 'yes' },
  ]
  for (const change of bad) {
    const target = await openTemporary()
    const changed = { ...exported, documents: [{ ...document, ...change }] }
    expect(await target.import(inPieces(JSON.stringify(changed)))).toMatchObject({
      documents: 0,
      skipped: 1,
      problems: [{ place: 'document 1', isSkipped: true }],
    })
    expect((await target.documents.list()).items).toEqual([])
  }
})
