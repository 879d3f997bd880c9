// Caches vectors of recent texts: the same text has the same vector, and texts repeat in retried turns,
// forks, conversations that are derived again after an erasure, and questions that an agent asks in every
// loop. Keyed by the hash of the text, so that no text is held; in memory only, so that nothing is written to
// a file.

import { hash } from 'node:crypto'
import type { Embedder, EmbeddingUse } from '../models.ts'

/** 20,000 vectors of 384 numbers, 5,000 of 1,536. */
const MOST_BYTES = 32 * 1024 * 1024
const BYTES_PER_NUMBER = 4

/** Wraps an embedder so that it gets only texts that are not cached, each once per call. */
export function withVectorCache(embedder: Embedder, maxBytes: number = MOST_BYTES): Embedder {
  const known = new Map<string, Float32Array>()
  const maxVectors = Math.floor(maxBytes / (BYTES_PER_NUMBER * Math.max(1, embedder.dimensions)))
  const keep = (key: string, vector: Float32Array) => {
    known.delete(key)
    known.set(key, vector)
    if (known.size <= maxVectors) return
    const [oldest] = known.keys()
    if (oldest !== undefined) known.delete(oldest)
  }
  return {
    ...embedder,
    async embed(texts, options = {}) {
      options.signal?.throwIfAborted()
      const keys = texts.map((text) => keyOf(text, options.use ?? 'passage'))
      const found = new Map(keys.flatMap((key) => entryOf(key, known.get(key))))
      const missing = new Map(keys.flatMap((key, i) => entryOf(key, found.has(key) ? undefined : texts[i])))
      const made = missing.size === 0 ? [] : await embedder.embed([...missing.values()], options)
      for (const [i, key] of [...missing.keys()].entries()) found.set(key, made[i] as Float32Array)
      for (const [key, vector] of found) keep(key, vector)
      return keys.map((key) => found.get(key) as Float32Array)
    },
  }
}

const keyOf = (text: string, use: EmbeddingUse): string => hash('sha256', `${use}\n${text}`, 'base64')

const entryOf = <T>(key: string, value: T | undefined): readonly [string, T][] =>
  value === undefined ? [] : [[key, value]]
