// Related words of WordNet: synonyms of frequent senses, similar adjectives, and words of the same root. The table is loaded
// with the first recall.

export type RelatedWords = (word: string) => readonly string[]

let loading: Promise<RelatedWords> | undefined

export function loadRelatedWords(): Promise<RelatedWords> {
  loading ??= readTable()
  return loading
}

async function readTable(): Promise<RelatedWords> {
  const { RELATED } = await import('./synonym-table.ts')
  const related = new Map<string, string>()
  for (const entry of RELATED.split('|')) related.set(entry.slice(0, entry.indexOf(' ')), entry)
  return (word) => related.get(word)?.split(' ').slice(1) ?? []
}
