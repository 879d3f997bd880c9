import { openPlain } from './sqlite-file.ts'

/** Which of these words, all of the same length, occur in the bytes, ignoring case. */
export function findTraces(raw: Buffer, words: readonly string[]): readonly string[] {
  const [first = ''] = words
  const asked = new Set(words.map((word) => word.toLowerCase()))
  const found = new Set<string>()
  const text = raw.toString('latin1').toLowerCase()
  for (const { 0: run } of text.matchAll(/[a-z0-9]+/g)) {
    for (let i = 0; i + first.length <= run.length; i++) {
      const piece = run.slice(i, i + first.length)
      if (asked.has(piece)) found.add(piece)
    }
  }
  return [...found]
}

/** The word prefixes in the FTS5 leaf table; the first byte of each identifies the index. */
export function findLeafWords(path: string, index: string): readonly string[] {
  const plain = openPlain(path)
  const rows = plain.prepare(`SELECT DISTINCT term FROM ${index}_idx`).all() as { term: Uint8Array }[]
  plain.close()
  return rows
    .map(({ term }) => Buffer.from(term).subarray(1).toString())
    .filter((leaf) => leaf.length > 1 && !/^[wc]\d+$/.test(leaf))
}
