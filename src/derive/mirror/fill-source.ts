// Copies one source into the vector store. A source is marked before any of its vectors are put, so that every
// vector belongs to a mark. If a process stops halfway, the next one puts what is missing.

import { definedFields } from '../../domain/defined-fields.ts'
import type { WorkspaceId } from '../../domain/ids.ts'
import { toVectorId } from '../../domain/ids.ts'
import type { Embedder } from '../../model/models.ts'
import type { Store } from '../../store/store.ts'
import type { VectorEntry, VectorMark, VectorStore } from '../../store/vector-store.ts'
import { spokenText } from '../spoken-text.ts'
import { VECTORS } from '../vectors/make-vectors.ts'
import {
  type MessageSource,
  readMessagesMark,
  type Source,
  type TextItem,
  type TextSource,
} from './source.ts'

export interface FillDeps {
  readonly store: Store
  readonly vectors: VectorStore
  readonly workspace: WorkspaceId
  readonly embedder: Embedder
  readonly signal: AbortSignal
  /** Throws if another task needs its turn. */
  readonly pause: () => void
}

/** Messages between two pauses: 2 MB of vectors with 768 dimensions. */
const MESSAGES = 256

export const BEGUN = ''

export async function fillSource(
  parts: FillDeps,
  source: Source,
  before: VectorMark | undefined,
): Promise<VectorMark> {
  const { vectors, workspace } = parts
  const { name, mark } = source
  if (before === undefined) await vectors.setMark(workspace, { source: name, mark: BEGUN, entries: 0 })
  const entries =
    source.kind === 'messages' ? await fillMessages(parts, source, before) : await fillTexts(parts, source)
  const after = { source: name, mark, entries }
  await vectors.setMark(workspace, after)
  return after
}

async function fillMessages(
  parts: FillDeps,
  source: MessageSource,
  before: VectorMark | undefined,
): Promise<number> {
  const { vectors, workspace } = parts
  const there = readMessagesMark(before?.mark ?? BEGUN)
  const goesOn = before !== undefined && before.mark !== BEGUN && there.made === source.made
  if (!goesOn && before !== undefined) {
    await vectors.removeSource(workspace, source.name)
    await vectors.setMark(workspace, { source: source.name, mark: BEGUN, entries: 0 })
  }
  let entries = goesOn ? before.entries : 0
  for await (const page of messagePages(parts, source, goesOn ? there.cursor : 0)) {
    parts.pause()
    await vectors.put(workspace, page)
    entries += page.length
  }
  return entries
}

async function* messagePages(
  { store, workspace }: FillDeps,
  { conversation, name }: MessageSource,
  from: number,
): AsyncGenerator<readonly VectorEntry[]> {
  const key = { workspace, conversation }
  for (let after = from - 1; ; ) {
    const readings = await store.readings({
      ...key,
      deriver: VECTORS,
      after,
      withVectors: true,
      limit: MESSAGES,
    })
    const [first, last] = [readings[0], readings.at(-1)]
    if (first === undefined || last === undefined) return
    const range = { after: first.position - 1, before: last.position + 1 }
    const messages = await store.messages({ ...key, ...range, limit: last.position - first.position + 1 })
    yield readings.flatMap(({ position, vector }) => {
      const message = messages[position - first.position]
      if (message === undefined || vector === undefined || isNothing(vector)) return []
      return [
        {
          id: toVectorId('message', message.id),
          text: spokenText(message),
          vector,
          memoryType: 'message' as const,
          source: name,
          session: conversation,
        },
      ]
    })
    after = last.position
  }
}

/** Removes entries whose text changed or is gone and adds missing ones. Entries that are up to date cost nothing. */
async function fillTexts(parts: FillDeps, source: TextSource): Promise<number> {
  const { vectors, workspace, pause } = parts
  const present = new Set(await vectors.ids(workspace, source.name))
  const wanted = new Set<string>()
  let added = 0
  for await (const page of source.pages()) {
    pause()
    for (const { id } of page) wanted.add(id)
    const missing = page.filter(({ id }) => !present.has(id))
    added += await putTexts(parts, source.name, missing)
  }
  const gone = [...present].filter((id) => !wanted.has(id))
  if (gone.length > 0) await vectors.remove(workspace, gone)
  return present.size - gone.length + added
}

/** Texts per embedder call. */
const TEXTS = 64

async function putTexts(parts: FillDeps, source: string, items: readonly TextItem[]): Promise<number> {
  const { vectors, workspace, embedder, signal, pause } = parts
  let put = 0
  for (let at = 0; at < items.length; at += TEXTS) {
    pause()
    const some = items.slice(at, at + TEXTS)
    const made = await embedder.embed(
      some.map(({ text }) => text),
      { signal },
    )
    const entries = some.flatMap(({ id, text, memoryType, session, chunkIndex }, i) => {
      const vector = made[i]
      if (vector === undefined || isNothing(vector)) return []
      return [{ id, text, vector, memoryType, source, ...definedFields({ session, chunkIndex }) }]
    })
    await vectors.put(workspace, entries)
    put += entries.length
  }
  return put
}

/** Removes entries that the source no longer has, without adding any. */
export async function removeGoneOf(
  { vectors, workspace }: Pick<FillDeps, 'vectors' | 'workspace'>,
  source: Source,
  there: VectorMark,
): Promise<void> {
  if (there.mark === source.mark) return
  if (source.kind === 'messages') {
    if (readMessagesMark(there.mark).made !== source.made) await vectors.removeSource(workspace, source.name)
    return
  }
  const wanted = new Set<string>()
  for await (const page of source.pages()) for (const { id } of page) wanted.add(id)
  const gone = (await vectors.ids(workspace, source.name)).filter((id) => !wanted.has(id))
  if (gone.length > 0) await vectors.remove(workspace, gone)
}

const isNothing = (vector: Float32Array): boolean => vector.every((value) => value === 0)
