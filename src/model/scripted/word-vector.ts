import { findWords } from '../../domain/words.ts'

/** A vector of unit length in which texts that share words lie near each other: crude, and the same everywhere. */
export function wordVector(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0)
  for (const { word } of findWords(text)) {
    const place = hash(word) % dimensions
    vector[place] = (vector[place] as number) + 1
  }
  const length = Math.hypot(...vector)
  return length === 0 ? vector : vector.map((value) => value / length)
}

/** How many of the question's words stand in the text, 0 to 1. */
export function wordOverlap(question: string, text: string): number {
  const asked = new Set(findWords(question).map(({ word }) => word))
  const there = new Set(findWords(text).map(({ word }) => word))
  const shared = [...asked].filter((word) => there.has(word)).length
  return asked.size === 0 ? 0 : shared / asked.size
}

function hash(word: string): number {
  let sum = 0
  for (let i = 0; i < word.length; i++) sum = (Math.imul(sum, 31) + word.charCodeAt(i)) >>> 0
  return sum
}
