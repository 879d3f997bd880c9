import type { Snippet } from './found.ts'

/** The words of a question within a text, where they begin a word of it. */
export function markWords(text: string, question: string): Snippet {
  const words = question.match(/[\p{L}\p{N}]{2,}/gu) ?? []
  if (words.length === 0) return { text, highlights: [] }
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})`, 'giu')
  const highlights = [...text.matchAll(pattern)].map((match) => [match.index, match.index + match[0].length])
  return { text, highlights }
}
