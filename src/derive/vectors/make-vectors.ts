// Vectors by an external embedder, for semantic recall. Jobs make them, since a server may be slow or
// unreachable. Until a conversation has all of its vectors by one embedder, recall uses its previous vectors; the
// built-in ones are always available. A different embedder starts a new generation next to the old one.

import { MemoryError } from '../../domain/errors.ts'
import { type ConversationKey, newId } from '../../domain/ids.ts'
import type { Message } from '../../domain/message.ts'
import type { Embedder } from '../../model/models.ts'
import type { Derivation, MessageAnnotation } from '../../store/derivations.ts'
import type { Store } from '../../store/store.ts'
import type { JobHandler } from '../jobs/run-jobs.ts'
import { spokenText } from '../spoken-text.ts'

export const VECTORS = 'vectors'

/** Messages per commit. */
const PORTION = 64

export interface VectorDeps {
  readonly store: Store
  readonly loadEmbedder: () => Promise<Embedder>
  readonly now: () => Date
}

interface OpenVectors {
  readonly generation: number
  readonly isActive: boolean
  readonly revision: number
  readonly cursor: number
  readonly erasureVersion: string
  /** Unique per generation, even if generation numbers repeat after an erase. */
  readonly made: string
}

/** Makes the missing vectors of a conversation. */
export function vectorsJob(parts: VectorDeps): JobHandler {
  return async ({ workspace, conversation }, { signal }) => {
    const { store } = parts
    const key = { workspace, conversation }
    const embedder = await parts.loadEmbedder()
    let open = await openVectors(parts, key, embedder)
    for (;;) {
      const messages = await store.messages({ ...key, after: open.cursor - 1, limit: PORTION })
      if (messages.length === 0) break
      const readings = await toReadings(messages, embedder, signal)
      open = await commit(parts, key, { ...open, embedder, readings, cursor: open.cursor + messages.length })
    }
    if (!open.isActive && open.revision > 0) {
      await commit(parts, key, { ...open, embedder, readings: [], isActive: true })
    }
  }
}

/** Identifies a generation of vectors. Generations of earlier versions do not have it. */
export const madeOf = ({ state }: Pick<Derivation, 'state'>): string =>
  (state as { readonly made?: string }).made ?? ''

async function openVectors(
  { store, now }: VectorDeps,
  key: ConversationKey,
  { name }: Embedder,
): Promise<OpenVectors> {
  const erasureVersion = await store.erasureVersion(key.workspace)
  const generations = await store.derivations({ ...key, deriver: VECTORS })
  const begun = generations.findLast(({ version }) => version === name)
  if (begun !== undefined) return { ...begun, erasureVersion, made: madeOf(begun) }
  const generation = (generations.at(-1)?.generation ?? 0) + 1
  return { generation, isActive: false, revision: 0, cursor: 0, erasureVersion, made: newId(now()) }
}

async function toReadings(
  messages: readonly Message[],
  embedder: Embedder,
  signal: AbortSignal,
): Promise<readonly MessageAnnotation[]> {
  const spoken = messages
    .map((message) => ({ position: message.position, text: spokenText(message) }))
    .filter(({ text }) => text.trim() !== '')
  const texts = spoken.map(({ text }) => text)
  const vectors = texts.length === 0 ? [] : await embedder.embed(texts, { signal })
  return spoken.map(({ position }, index) => ({
    position,
    topic: position,
    vector: vectors[index] as Float32Array,
  }))
}

interface VectorCommit extends OpenVectors {
  readonly embedder: Embedder
  readonly readings: readonly MessageAnnotation[]
}

async function commit(
  { store, now }: VectorDeps,
  key: ConversationKey,
  { embedder, readings, ...open }: VectorCommit,
): Promise<OpenVectors> {
  const { generation, isActive, revision, cursor, erasureVersion, made } = open
  const isWritten = await store.commitDerivation({
    ...key,
    deriver: VECTORS,
    generation,
    version: embedder.name,
    isActive,
    revision,
    erasureVersion,
    cursor,
    state: made === '' ? {} : { made },
    readings,
    now: now(),
  })
  if (isWritten) return { ...open, revision: revision + 1 }
  throw new MemoryError('store-busy', `vectors of "${key.conversation}" are made by another process too`)
}
