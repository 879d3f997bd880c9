import { ChromaClient } from 'chromadb'
import { expect, onTestFinished } from 'vitest'
import { type Memory, type OpenOptions, openMemory } from '../../src/index.ts'
import { withTuning } from '../../src/options/resolve-options.ts'
import { meaningEmbedder } from './meaning-embedder.ts'
import { temporaryPath } from './temporary-folder.ts'

type ChromaMemoryOptions = OpenOptions & { readonly path?: string; readonly writeTimeoutMs?: number }

/** A memory with its vectors in Chroma, closed after the test. */
export async function openWithChroma(
  url: string,
  { path = temporaryPath(), writeTimeoutMs = 60_000, ...options }: ChromaMemoryOptions = {},
): Promise<Memory> {
  const settings = { embedder: meaningEmbedder(), vectors: { chroma: { url } }, ...options }
  const memory = await openMemory(
    path,
    withTuning(settings, { vectors: { checkEveryMs: 500, writeTimeoutMs } }),
  )
  onTestFinished(() => memory.close())
  return memory
}

export interface ChromaRow {
  readonly id: string
  readonly document: string | null | undefined
  readonly metadata: Readonly<Record<string, unknown>>
}

/** All entries in the server, of one workspace or of all, without markers. */
export async function chromaRows(url: string, workspace?: string): Promise<readonly ChromaRow[]> {
  const collections = await listCollections(url)
  const wanted = collections.filter(
    ({ metadata }) => workspace === undefined || metadata?.['workspace'] === workspace,
  )
  const found = await Promise.all(
    wanted.map((collection) => collection.get({ include: ['metadatas', 'documents'], limit: 10_000 })),
  )
  const rows = found.flatMap(({ ids, metadatas, documents }) =>
    ids.map((id, i) => ({ id, document: documents[i], metadata: { ...metadatas[i] } })),
  )
  return rows.filter(({ metadata }) => metadata['memory_type'] !== 'mark')
}

async function listCollections(url: string) {
  const { hostname: host, port } = new URL(url)
  return new ChromaClient({ host, port: Number(port) }).listCollections({ limit: 1000 })
}

export async function collectionNames(url: string): Promise<readonly string[]> {
  return (await listCollections(url)).map(({ name }) => name)
}

export async function chromaIds(url: string, workspace?: string): Promise<readonly string[]> {
  return (await chromaRows(url, workspace)).map(({ id }) => id).sort()
}

const WITHIN_MS = 60_000

/** Polls until the condition holds. */
export async function eventually(look: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + WITHIN_MS
  while (Date.now() < deadline) {
    if (await look()) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  expect.fail('it did not come true in time')
}
