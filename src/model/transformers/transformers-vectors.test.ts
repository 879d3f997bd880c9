// No model can be downloaded where these tests run. They show that a missing package is named, and that the
// adapter works with the shape of `pipeline('feature-extraction')`, replaced by a fake.

import { expect, test } from 'vitest'
import { openModels } from '../../../test/support/scripted-models.ts'
import { type Pooling, type TransformersPackage, transformersVectors } from './transformers-vectors.ts'

const { signal } = new AbortController()

function standIn(dims?: readonly number[]) {
  const calls: unknown[] = []
  const loaded: TransformersPackage = {
    pipeline: async (task, model) => {
      calls.push({ task, model })
      return async (texts, options: { pooling: Pooling; normalize: boolean }) => {
        calls.push({ texts, ...options })
        return {
          data: Float32Array.from(texts.flatMap(({ length }) => [length, 1])),
          dims: dims ?? [texts.length, 2],
        }
      }
    },
  }
  return { calls, load: async () => loaded }
}

test('a model without a URL requires the package, and the error says so if it is missing', async () => {
  const { loadEmbedder } = openModels({ embeddings: { model: 'Xenova/multilingual-e5-small' } })
  await expect(loadEmbedder()).rejects.toMatchObject({
    code: 'missing-dependency',
    hint: expect.stringContaining('npm install @huggingface/transformers'),
  })
})

const E5 = { model: 'e5', pooling: 'mean', device: '' } as const

test('a device is passed on to the package', async () => {
  const devices: unknown[] = []
  const { load } = standIn()
  const watched = async () => {
    const loaded = await load()
    return {
      pipeline: (...call: Parameters<typeof loaded.pipeline>) => {
        devices.push(call[2])
        return loaded.pipeline(...call)
      },
    }
  }
  await transformersVectors({ ...E5, device: 'cuda' }, watched).vectorsOf(['a'], signal)
  expect(devices).toEqual([{ device: 'cuda' }])
})

test('texts become rows; the model is loaded once', async () => {
  const { calls, load } = standIn()
  const source = transformersVectors(E5, load)
  const rows = await source.vectorsOf(['a', 'bbb'], signal)
  await source.vectorsOf(['cc'], signal)
  expect(rows.map((row) => Array.from(row))).toEqual([
    [1, 1],
    [3, 1],
  ])
  expect(calls).toEqual([
    { task: 'feature-extraction', model: 'e5' },
    { texts: ['a', 'bbb'], pooling: 'mean', normalize: true },
    { texts: ['cc'], pooling: 'mean', normalize: true },
  ])
})

test('the settings that vectors depend on are part of the name', () => {
  expect(transformersVectors({ model: 'bge', pooling: 'mean', device: '' }).model).toBe('bge')
  expect(transformersVectors({ model: 'bge', pooling: 'cls', device: 'cuda' }).model).toBe('bge/cls')
})

test('output of another shape is rejected', async () => {
  const source = transformersVectors(E5, standIn([1, 2, 1]).load)
  await expect(source.vectorsOf(['a'], signal)).rejects.toThrow('in the shape 1 × 2 × 1')
})

test('a download that failed is tried again with the next text', async () => {
  const { load } = standIn()
  let isDown = true
  const source = transformersVectors(E5, async () => {
    if (isDown) throw new TypeError('fetch failed')
    return load()
  })
  await expect(source.vectorsOf(['a'], signal)).rejects.toThrow('fetch failed')
  isDown = false
  await expect(source.vectorsOf(['a'], signal)).resolves.toHaveLength(1)
})
