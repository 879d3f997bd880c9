import type { Snippet } from './found.ts'

/** Highlights the words of the query in a text, at the start of words. */
export function markWords(text: string, query: string): Snippet {
  const words = query.match(/[\p{L}\p{N}]{2,}/gu) ?? []
  if (words.length === 0) return { text, highlights: [] }
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})`, 'giu')
  const highlights = [...text.matchAll(pattern)].map((match) => [match.index, match.index + match[0].length])
  return { text, highlights }
}
