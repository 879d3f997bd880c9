import fc from 'fast-check'
import { expect, test } from 'vitest'
import { upTo } from '../../../../conformance/store/samples.ts'
import { findPlainly, makeVectors, product } from '../../../../test/support/made-up-vectors.ts'
import { SeededRandom } from '../../../../test/support/seeded-random.ts'
import { SKETCH_WORDS, SketchComparison, toSketch } from '../../sketch.ts'
import { chooseBySketch } from './find-nearest.ts'

const words = (sketches: readonly Uint8Array[]): Int32Array =>
  new Int32Array(new Uint8Array(Buffer.concat(sketches)).buffer)

function countDifferent(one: Float32Array, other: Float32Array): number {
  const distances = new Uint16Array(1)
  new SketchComparison(one).measure(words([toSketch(other, 0)]), distances, 0)
  return distances[0] as number
}

/** A simple reference implementation. */
function countPlainly(one: Float32Array, other: Float32Array): number {
  const [a, b] = [toSketch(one, 0), toSketch(other, 0)]
  const bits = (byte: number) => byte.toString(2).replaceAll('0', '').length
  return a.reduce((sum, byte, i) => sum + bits(byte ^ (b[i] as number)), 0)
}

const aVector = (random: SeededRandom, dimensions: number): Float32Array =>
  Float32Array.from(upTo(dimensions), () => random.next() + random.next() + random.next() - 1.5)

test('sketches differ in as many bits as the angle predicts, for any dimensions, and for sparse vectors too', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(64, 256, 384, 1000, 1536),
      fc.integer({ min: 1, max: 179 }),
      fc.boolean(),
      fc.nat(),
      (dimensions, degrees, isSparse, seed) => {
        const random = new SeededRandom(seed)
        const [one, noise] = [aVector(random, dimensions), aVector(random, dimensions)]
        if (isSparse) for (const [i] of one.entries()) if (i % 4 !== 0) one[i] = noise[i] = 0
        // Adding an orthogonal vector of the same length rotates the first one by any angle.
        const along = product(one, noise) / product(one, one)
        const across = noise.map((x, i) => x - along * (one[i] as number))
        const scale = Math.sqrt(product(one, one) / product(across, across))
        const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
        const other = one.map((x, i) => x * cos + (across[i] as number) * sin * scale)
        const different = countDifferent(one, other)
        expect(different).toBe(countPlainly(one, other))
        // Five times the standard deviation of 256 coin tosses.
        expect(Math.abs(different - (256 * degrees) / 180)).toBeLessThan(45)
      },
    ),
    { numRuns: 300 },
  )
})

test('sketches never change, since files contain them', () => {
  const vector = Float32Array.from(upTo(300), (i) => Math.sin(i * 12.9898))
  expect(Buffer.from(toSketch(vector, 77)).toString('hex')).toMatchInlineSnapshot(
    `"4d00000019b80f07e0b32ae8ed57ca5800a4acbe5d2579f781ed4123fbbd9418606a1021"`,
  )
})

test('the nearest vectors are among the few chosen by their sketches', () => {
  const random = new SeededRandom(3)
  const { vectors, questions } = makeVectors(random, { count: 20_000, dimensions: 256, questions: 20 })
  const lists = upTo(20).map((i) => {
    const part = vectors.slice(i * 1000, (i + 1) * 1000)
    return { first: i * 1000, sketches: words(part.map((vector, position) => toSketch(vector, position))) }
  })
  expect(lists[0]?.sketches.length).toBe(1000 * SKETCH_WORDS)
  const found = questions.map((question) => {
    const chosen = new Set(
      chooseBySketch(question, lists, 200).map(({ list, position }) => list.first + position),
    )
    expect(chosen.size).toBe(200)
    return findPlainly(vectors, question).filter((i) => chosen.has(i)).length / 10
  })
  expect(found.reduce((sum, share) => sum + share) / found.length).toBeGreaterThan(0.95)
})
