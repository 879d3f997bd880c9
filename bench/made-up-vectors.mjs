// Vectors as conversations have them: stretches of 50 about one thing each, and two thousand things in all.

import { seededRandom } from './made-up-text.mjs'

export const DIMENSIONS = 256
const THEMES = 2000
const STRETCH = 50
/** The cosines of a stretch and its theme, and of a message and its stretch. */
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

/** A vector whose cosine with another is about this. */
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
