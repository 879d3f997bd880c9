// Embedding models that run in this process, with Transformers.js: an optional package, loaded with the first
// text. It downloads the model once and caches it in its own folder; after that it needs no network.

import { MemoryError } from '../../domain/errors.ts'
import type { VectorSource } from '../guard/guard-models.ts'
import { CallFailure } from '../network/call-failure.ts'
import { memoizeAsync } from '../network/load-once.ts'

/** The part of the package that is used. */
export interface TransformersPackage {
  pipeline(
    task: 'feature-extraction',
    model: string,
    options?: { device?: string },
  ): Promise<FeatureExtraction>
}

type FeatureExtraction = (
  texts: string[],
  options: { pooling: Pooling; normalize: boolean },
) => Promise<{ readonly data: ArrayLike<number>; readonly dims: readonly number[] }>

export type Pooling = 'mean' | 'cls' | 'last_token'

interface InProcessModel {
  readonly model: string
  readonly pooling: Pooling
  /** Empty: the package's choice. */
  readonly device: string
}

const PACKAGE = '@huggingface/transformers'

export function transformersVectors(
  { model, pooling, device }: InProcessModel,
  load: () => Promise<TransformersPackage> = loadPackage,
): VectorSource {
  const options = device === '' ? [] : [{ device }]
  const extraction = memoizeAsync(async () =>
    (await load()).pipeline('feature-extraction', model, ...options),
  )
  return {
    model: pooling === 'mean' ? model : `${model}/${pooling}`,
    async vectorsOf(texts) {
      const extract = await extraction()
      const { data, dims } = await extract([...texts], { pooling, normalize: true })
      return toRows(data, dims)
    },
  }
}

async function loadPackage(): Promise<TransformersPackage> {
  try {
    // Not a literal: the package is not installed at compile time.
    const name: string = PACKAGE
    return await import(name)
  } catch (cause) {
    throw new MemoryError('missing-dependency', `embedding in this process needs the package "${PACKAGE}"`, {
      hint: `npm install ${PACKAGE}; or give the address of a server in models.embeddings.url`,
      cause,
    })
  }
}

/** One row of numbers for each text. */
function toRows(data: ArrayLike<number>, dims: readonly number[]): Float32Array[] {
  const [rows = 0, columns = 0] = dims
  if (dims.length !== 2 || rows * columns !== data.length)
    throw new CallFailure('garbled', `${data.length} numbers in the shape ${dims.join(' × ')}`)
  const numbers = Float32Array.from(data)
  return Array.from({ length: rows }, (_, row) => numbers.slice(row * columns, (row + 1) * columns))
}
