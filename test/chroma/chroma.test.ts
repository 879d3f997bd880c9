import { cpSync, rmSync } from 'node:fs'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Memory, openMemory, type Workspace } from '../../src/index.ts'
import {
  chromaIds,
  chromaRows,
  collectionNames,
  eventually,
  openWithChroma,
} from '../support/chroma-memory.ts'
import { startChroma, whyNoChroma } from '../support/chroma-server.ts'
import { meaningEmbedder } from '../support/meaning-embedder.ts'
import { temporaryPath } from '../support/temporary-folder.ts'

const problem = whyNoChroma()

beforeAll(() => {
  if (problem !== undefined) console.info(`skipped: ${problem}`)
})

async function fill(memory: Memory): Promise<void> {
  await memory.conversation('garage').record([
    { id: 'car', role: 'user', content: 'The car was painted green by my uncle.' },
    { id: 'cat', role: 'user', content: 'Our cat sleeps on the roof.' },
  ])
  await memory
    .conversation('work')
    .record({ id: 'wage', role: 'user', content: 'The wage is paid on Friday.' })
  const content = '# Health\n\nThe doctor comes every Tuesday.'
  await memory.documents.add({ id: 'leaflet', name: 'leaflet.md', content })
  await memory.whenDerived()
}

const vectorIds = ['chunk:leaflet', 'message:car', 'message:cat', 'message:wage']
/** Without digests, versions and artifacts. */
const plain = (ids: readonly string[]): string[] =>
  ids.filter((id) => /^(?:message|chunk)/.test(id)).map((id) => id.split(':').slice(0, 2).join(':'))

async function found(memory: Workspace, question: string): Promise<string[]> {
  const { items } = await memory.recall(question)
  return items.map(({ kind, id }) => `${kind}:${id}`)
}

describe.skipIf(problem !== undefined)('vectors in Chroma', () => {
  test('messages and chunks are found by meaning, with their text and metadata', async () => {
    const { url } = await startChroma()
    const memory = await openWithChroma(url)
    await fill(memory)
    expect(memory.maintenance.vectorStore()).toMatchObject({
      isSynced: true,
      behind: 0,
      location: `Chroma at ${url}`,
    })
    const { items, notices } = await memory.recall('which medic?')
    expect(notices).toEqual([])
    expect(items[0]).toMatchObject({ kind: 'chunk', source: 'leaflet.md › Health' })
    expect(items[0]?.why.map(({ signal }) => signal)).toContain('meaning')
    expect(await found(memory, 'which roadster?')).toContain('message:car')
    const rows = await chromaRows(url)
    expect(plain(rows.map(({ id }) => id)).sort()).toEqual(vectorIds)
    const documentOf = (start: string) => rows.find(({ id }) => id.startsWith(start))?.document
    expect(documentOf('message:car')).toBe('The car was painted green by my uncle.')
    expect(documentOf('chunk:leaflet')).toContain('The doctor comes every Tuesday.')
    const metadataOf = (start: string) => rows.find(({ id }) => id.startsWith(start))?.metadata
    expect(metadataOf('message:car')).toMatchObject({ memory_type: 'message', session_id: 'garage' })
    expect(metadataOf('chunk:leaflet')).toMatchObject({
      memory_type: 'chunk',
      session_id: '',
      chunk_index: 0,
    })
  })

  test('facts, notes and summaries are stored there too, and removed when they are deleted', async () => {
    const { url } = await startChroma()
    const memory = await openWithChroma(url)
    await memory.facts.add({ subject: 'user', attribute: 'pet', value: 'a cat called Tom' })
    await memory.notes.add({ text: 'The lemonade stand opens at nine.', source: { tool: 'search' } })
    await memory.whenDerived()
    const types = async () => (await chromaRows(url)).map(({ metadata }) => metadata['memory_type']).sort()
    expect(await types()).toEqual(['facts', 'tools'])
    const { items } = await memory.recall('any feline?', { kinds: ['fact', 'note'] })
    expect(items.map(({ kind, text }) => [kind, text])).toEqual([
      ['fact', expect.stringContaining('a cat called Tom')],
    ])
    const [fact] = await memory.facts.list().toArray()
    await memory.facts.delete(fact?.id ?? '')
    await memory.whenDerived()
    expect(await types()).toEqual(['tools'])
  })

  test('a summary has its conversation as session_id and its text as document', async () => {
    const { url } = await startChroma()
    const memory = await openWithChroma(url)
    const lines = Array.from({ length: 14 }, (_, i) => `The car of customer ${i} needs ${i + 2} new tyres.`)
    await memory.conversation('garage').record(lines.map((content) => ({ role: 'user' as const, content })))
    await memory.whenDerived()
    const summary = (await chromaRows(url)).find(({ metadata }) => metadata['memory_type'] === 'summary')
    expect(summary?.metadata).toMatchObject({ session_id: 'garage' })
    expect(summary?.document).toContain('tyres')
  })

  test('it works without an embedding model, with the built-in vectors', async () => {
    const { url } = await startChroma()
    const path = temporaryPath()
    const before = await openMemory(path)
    await fill(before)
    await before.close()
    const memory = await openMemory(path, { vectors: { chroma: { url } } })
    onTestFinished(() => memory.close())
    await memory.conversation('garage').record({ id: 'late', role: 'user', content: 'A second car came.' })
    await memory.whenDerived()
    await eventually(() => memory.maintenance.vectorStore()?.isSynced === true)
    expect(plain(await chromaIds(url)).sort()).toEqual([...vectorIds, 'message:late'].sort())
    const { items, notices } = await memory.recall('who painted the car?')
    expect(notices).toEqual([])
    expect(items[0]).toMatchObject({ id: 'car' })
    expect((await memory.recall('Which orchid needs water?')).items).toEqual([])
  })

  test.each([
    ['default', 'recollect-default'],
    ['anna@example.org', /^recollect-anna-example-org-[0-9a-f]{12}$/],
    ['東京', /^recollect-[0-9a-f]{12}$/],
    ['a'.repeat(90), /^recollect-a{40}-[0-9a-f]{12}$/],
  ])('the collection of the workspace %s has a readable name', async (id, name) => {
    const { url } = await startChroma()
    const memory = await openWithChroma(url)
    const workspace = memory.workspace(id)
    await workspace.conversation('garage').record({ role: 'user', content: 'The car is green.' })
    await workspace.whenDerived()
    expect(await collectionNames(url)).toEqual([
      typeof name === 'string' ? name : expect.stringMatching(name),
    ])
  })

  test('workspaces whose ids look alike have separate collections', async () => {
    const { url } = await startChroma()
    const memory = await openWithChroma(url)
    await memory.workspace('a@b').conversation('one').record({ role: 'user', content: 'The car is green.' })
    await memory.whenDerived()
    const [taken = ''] = await collectionNames(url)
    const alike = ['a.b', 'a-b', '-a-b', taken.replace('recollect-', '')]
    for (const id of alike)
      await memory.workspace(id).conversation('one').record({ role: 'user', content: 'The car is green.' })
    await memory.whenDerived()
    expect(new Set(await collectionNames(url)).size).toBe(5)
    for (const id of ['a@b', ...alike]) expect(await chromaIds(url, id)).toHaveLength(1)
  })

  test('a workspace sees only its own vectors, and erasing it removes them all', async () => {
    const { url } = await startChroma()
    const memory = await openWithChroma(url)
    await fill(memory)
    const other = memory.workspace('other')
    await other.conversation('garage').record({ id: 'bus', role: 'user', content: 'Not one car is left.' })
    await other.whenDerived()
    expect(await found(other, 'which roadster?')).toEqual(['message:bus'])
    expect(await found(memory, 'which roadster?')).not.toContain('message:bus')
    expect(plain(await chromaIds(url, 'other'))).toEqual(['message:bus'])
    expect((await other.erase()).isScrubbed).toBe(true)
    expect(await chromaIds(url, 'other')).toEqual([])
    expect(plain(await chromaIds(url)).sort()).toEqual(vectorIds)
  })

  test('erased vectors are gone from Chroma when the erase resolves', async () => {
    const { url } = await startChroma()
    const memory = await openWithChroma(url)
    await fill(memory)
    expect((await memory.messages.erase('car')).isScrubbed).toBe(true)
    expect(plain(await chromaIds(url))).not.toContain('message:car')
    const documents = (await chromaRows(url)).map(({ document }) => document).join()
    expect(documents).toContain('The wage')
    expect(documents).not.toContain('uncle')
    await memory.whenDerived()
    expect(plain(await chromaIds(url)).sort()).toEqual(['chunk:leaflet', 'message:cat', 'message:wage'])
    expect((await memory.conversation('work').erase()).isScrubbed).toBe(true)
    expect((await memory.documents.erase('leaflet')).isScrubbed).toBe(true)
    expect(plain(await chromaIds(url))).toEqual(['message:cat'])
  })

  test('a conversation with memory off has no vectors there', async () => {
    const { url } = await startChroma()
    const memory = await openWithChroma(url)
    await fill(memory)
    await memory.conversation('garage').update({ isMemoryOn: false })
    expect(await found(memory, 'which roadster?')).not.toContain('message:car')
    await memory.whenDerived()
    expect(plain(await chromaIds(url)).sort()).toEqual(['chunk:leaflet', 'message:wage'])
  })

  test('changing the embedding model refills Chroma', async () => {
    const { url } = await startChroma()
    const path = temporaryPath()
    const before = await openWithChroma(url, { path })
    await fill(before)
    await before.close()
    const memory = await openWithChroma(url, { path, embedder: meaningEmbedder('meaning/2') })
    await memory.whenDerived()
    expect(plain(await chromaIds(url)).sort()).toEqual(vectorIds)
    expect(memory.maintenance.vectorStore()?.isSynced).toBe(true)
    expect(await found(memory, 'which roadster?')).toContain('message:car')
  })

  test('reopening the memory does not embed synchronized vectors again', async () => {
    const { url } = await startChroma()
    const path = temporaryPath()
    const before = await openWithChroma(url, { path })
    await fill(before)
    await before.close()
    const embedder = meaningEmbedder()
    const memory = await openWithChroma(url, { path, embedder })
    await memory.whenDerived()
    expect(memory.maintenance.vectorStore()?.isSynced).toBe(true)
    expect(embedder.texts.filter((text) => /doctor|car|wage/.test(text))).toEqual([])
  })
})

describe.skipIf(problem !== undefined)('failures of Chroma', () => {
  test('answers continue without Chroma, with a notice, and missed vectors are added when it is back', async () => {
    const server = await startChroma()
    const memory = await openWithChroma(server.url)
    await fill(memory)
    await server.kill()
    await memory.conversation('garage').record({ id: 'late', role: 'user', content: 'A second car came.' })
    const { items, notices } = await memory.recall('which roadster?')
    expect(notices.join()).toMatch(/vector store failed, used words and .*Chroma at http.*cannot be reached/)
    expect(items.map(({ id }) => id)).toContain('car')
    expect(memory.maintenance.vectorStore()).toMatchObject({ problem: expect.stringContaining('Chroma') })
    expect((await memory.maintenance.check()).at(-1)).toMatchObject({
      problem: expect.stringContaining('Chroma'),
    })
    await server.restart()
    await eventually(async () => plain(await chromaIds(server.url)).includes('message:late'))
    await eventually(() => memory.maintenance.vectorStore()?.isSynced === true)
    expect((await memory.recall('which roadster?')).notices).toEqual([])
    expect((await memory.maintenance.check()).at(-1)?.problem).toBeUndefined()
  })

  test('vectors erased while Chroma is down are removed soon after it is back', async () => {
    const server = await startChroma()
    const memory = await openWithChroma(server.url)
    await fill(memory)
    await server.kill()
    expect((await memory.messages.erase('car')).isScrubbed).toBe(false)
    expect((await memory.documents.erase('leaflet')).isScrubbed).toBe(false)
    expect(await memory.maintenance.finishErasing()).toBe(false)
    await server.restart()
    await eventually(async () => {
      const ids = plain(await chromaIds(server.url))
      return !ids.includes('message:car') && !ids.includes('chunk:leaflet')
    })
    await eventually(() => memory.maintenance.finishErasing())
  })

  test('if its files are deleted, Chroma is refilled automatically', async () => {
    const server = await startChroma()
    const memory = await openWithChroma(server.url)
    await fill(memory)
    await server.kill()
    server.deleteFiles()
    await server.restart()
    expect(await chromaIds(server.url)).toEqual([])
    await eventually(async () => plain(await chromaIds(server.url)).length === vectorIds.length)
    expect(plain(await chromaIds(server.url)).sort()).toEqual(vectorIds)
    await eventually(() => memory.maintenance.vectorStore()?.isSynced === true)
    expect(await found(memory, 'which medic?')).toEqual([expect.stringContaining('chunk:leaflet')])
  })

  test('restored from an older copy, Chroma drops vectors erased since then and gets the missing ones', async () => {
    const server = await startChroma()
    const memory = await openWithChroma(server.url)
    await fill(memory)
    await server.kill()
    const copy = `${server.folder}-copy`
    cpSync(server.folder, copy, { recursive: true })
    await server.restart()
    await memory.conversation('garage').record({ id: 'late', role: 'user', content: 'A second car came.' })
    await memory.conversation('work').erase()
    await eventually(async () => plain(await chromaIds(server.url)).includes('message:late'))
    await server.kill()
    server.deleteFiles()
    cpSync(copy, server.folder, { recursive: true })
    rmSync(copy, { recursive: true })
    await server.restart()
    const expected = ['chunk:leaflet', 'message:car', 'message:cat', 'message:late']
    await eventually(
      async () =>
        plain(await chromaIds(server.url))
          .sort()
          .join() === expected.join(),
    )
  })
})
