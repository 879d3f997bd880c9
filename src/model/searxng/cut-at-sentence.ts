import { cutText } from '../network/cut-text.ts'

/** The beginning of a text, at most so long, that ends with a sentence; with a word, where the first is longer. */
export function cutAtSentence(text: string, mostCharacters: number): string {
  if (text.length <= mostCharacters) return text
  // A little more than fits, so that it shows whether a sentence goes on.
  const beginning = text.slice(0, mostCharacters + 40)
  const kept = whole(beginning, 'sentence', mostCharacters)
  if (kept !== '') return kept
  return `${whole(beginning, 'word', mostCharacters - 1) || cutText(text, mostCharacters - 1)}…`
}

function whole(text: string, granularity: 'sentence' | 'word', mostCharacters: number): string {
  let end = 0
  for (const { index, segment } of new Intl.Segmenter(undefined, { granularity }).segment(text)) {
    const after = index + segment.trimEnd().length
    // The last piece of what was cut out may be half of one.
    if (after > mostCharacters || index + segment.length === text.length) break
    end = after
  }
  return text.slice(0, end)
}
