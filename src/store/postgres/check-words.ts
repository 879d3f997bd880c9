// Checks whether the word index matches the texts. Reads all texts of a workspace, kind by kind, and compares them
// with the index by a checksum of its entries that does not depend on their order.

import { readEntries } from './indexed-texts.ts'
import type { Session } from './session.ts'
import { blockOf, ENTRIES, INDEXES, type IndexEntry, type IndexName } from './word-index.ts'

const NAMES: Readonly<Record<IndexName, string>> = {
  message: 'messages',
  conversation: 'conversations',
  query: 'queries',
  chunk: 'chunks',
}

/** Rows of the index read per statement. */
const READ_AT_ONCE = 20_000

export async function findUnindexed(session: Session, workspace: number): Promise<readonly string[]> {
  const problems: string[] = []
  for (const index of Object.keys(INDEXES) as IndexName[]) {
    const expected = await sumTexts(session, { workspace, index })
    const found = await sumIndex(session, { workspace, index })
    if (expected !== found) problems.push(`the search index of ${NAMES[index]} does not match their text`)
  }
  return problems
}

interface Key {
  readonly workspace: number
  readonly index: IndexName
}

async function sumTexts(session: Session, key: Key): Promise<string> {
  const sum = new Sum()
  for await (const entries of readEntries(session, key)) for (const entry of entries) addEntry(sum, entry)
  return sum.toString()
}

function addEntry(sum: Sum, { number, words }: IndexEntry): void {
  for (const word of new Set(words)) sum.add(word, number)
}

async function sumIndex(session: Session, { workspace, index }: Key): Promise<string> {
  const sum = new Sum()
  for (let word = '', block = -1; ; ) {
    const rows = await session.all<{ word: string; block: number; entries: Uint8Array }>(
      `SELECT word, block, entries FROM indexed_word WHERE workspace = $1 AND kind = $2 AND (word, block) > ($3, $4::bigint)
       ORDER BY word, block LIMIT ${READ_AT_ONCE}`,
      workspace,
      INDEXES[index],
      word,
      block,
    )
    for (const row of rows) for (const entry of row.entries) sum.add(row.word, row.block * ENTRIES + entry)
    const last = rows.at(-1)
    if (last === undefined) return sum.toString()
    word = last.word
    block = last.block
  }
}

/** A checksum that is the same for the same entries in any order, and almost certainly different for others. */
class Sum {
  #count = 0
  #one = 0
  #other = 0

  add(word: string, number: number): void {
    let hash = Math.imul(blockOf(number) | 0, 0x9e3779b1) ^ Math.imul(number | 0, 0x85ebca6b)
    for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193)
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
    this.#count += 1
    this.#one = (this.#one + hash) | 0
    this.#other = (this.#other + Math.imul(hash, hash | 1)) | 0
  }

  toString(): string {
    return `${this.#count} ${this.#one} ${this.#other}`
  }
}
