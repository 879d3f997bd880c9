// Vectors like those of conversations: runs of 50 about one theme, with two thousand themes in total.

import { seededRandom } from './made-up-text.mjs'

export const DIMENSIONS = 256
const THEMES = 2000
const STRETCH = 50
/** Cosine similarity of a run with its theme, and of a message with its run. */
const STRETCH_COSINE = 0.8
const MESSAGE_COSINE = 0.7

function toUnit(vector) {
  let square = 0
  for (const value of vector) square += value * value
  const length = Math.sqrt(square)
  for (let i = 0; i < vector.length; i++) vector[i] /= length
  return vector
}

function noise(random, dimensions) {
  const vector = new Float32Array(dimensions)
  for (let i = 0; i < dimensions; i++) vector[i] = random() + random() + random() - 1.5
  return toUnit(vector)
}

/** A vector with about this cosine similarity to another. */
export function near(random, other, cosine) {
  const vector = noise(random, other.length)
  const share = Math.sqrt(1 - cosine ** 2)
  for (let i = 0; i < vector.length; i++) vector[i] = other[i] * cosine + vector[i] * share
  return toUnit(vector)
}

export function createVectorMaker(seed, dimensions = DIMENSIONS) {
  const random = seededRandom(seed)
  const themes = Array.from({ length: THEMES }, () => noise(random, dimensions))
  let made = 0
  let stretch
  return () => {
    if (made++ % STRETCH === 0) stretch = near(random, themes[Math.floor(random() * THEMES)], STRETCH_COSINE)
    return near(random, stretch, MESSAGE_COSINE)
  }
}
