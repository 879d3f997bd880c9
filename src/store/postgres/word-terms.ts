// Turns a question into lists of words to look up in the word index. The index does not know the order of words:
// phrases are looked up by their words and then checked in the texts.

import type { Session } from './session.ts'
import { INDEXES } from './word-index.ts'
import { toWorkspace, type WordScope } from './word-rows.ts'

type IndexKey = Pick<WordScope, 'workspace' | 'index'>

/** A word, or several in a row; with `isPrefix`, the last one may be the beginning of a word. */
export interface Term {
  readonly words: readonly string[]
  readonly isPrefix: boolean
}

/** Alternatives: at least one of the words must occur. */
export type AskedGroup = readonly string[]

interface AskedGroups {
  /** One word of each group must occur. */
  readonly groups: readonly AskedGroup[]
  /** Phrases to check in the texts as well. */
  readonly phrases: readonly (readonly Term[])[]
}

/** Maximum number of words with the same prefix to look up. */
const MOST_BEGINNING_SO = 2000

/** Undefined if nothing can match. */
export async function readGroups(
  session: Session,
  { groups, ...key }: IndexKey & { readonly groups: readonly (readonly Term[])[] },
): Promise<AskedGroups | undefined> {
  const asked = new Map<string, AskedGroup>()
  for (const terms of groups) {
    for (const words of await toLists(session, key, terms)) {
      if (words.length === 0) return undefined
      asked.set(JSON.stringify(words), words)
    }
  }
  const phrases = groups.filter((terms) => terms.some(({ words }) => words.length > 1))
  return asked.size === 0 ? undefined : { groups: [...asked.values()], phrases }
}

/** A single phrase requires each of its words; among alternatives, its longest word represents it. */
async function toLists(
  session: Session,
  key: IndexKey,
  terms: readonly Term[],
): Promise<readonly AskedGroup[]> {
  const lists: AskedGroup[] = []
  const [only, ...others] = terms
  if (only !== undefined && others.length === 0) {
    const last = only.words.length - 1
    for (const [i, word] of only.words.entries())
      lists.push(await toWords(session, key, { word, isPrefix: only.isPrefix && i === last }))
    return lists
  }
  for (const { words, isPrefix } of terms) {
    const whole = isPrefix && words.length > 1 ? words.slice(0, -1) : words
    const longest = whole.reduce((a, b) => (b.length > a.length ? b : a), '')
    lists.push(await toWords(session, key, { word: longest, isPrefix: isPrefix && words.length === 1 }))
  }
  return [[...new Set(lists.flat())]]
}

async function toWords(
  session: Session,
  { workspace, index }: IndexKey,
  { word, isPrefix }: { readonly word: string; readonly isPrefix: boolean },
): Promise<AskedGroup> {
  if (!isPrefix) return [word]
  const rows = await session.all<{ word: string }>(
    beginningSo(toWorkspace(workspace)),
    workspace,
    INDEXES[index],
    word,
    MOST_BEGINNING_SO,
  )
  return rows.map((row) => row.word)
}

/** Steps from word to word, not from row to row, since a common word has very many rows. */
const beginningSo = (workspace: string): string => `WITH RECURSIVE next AS (
    (SELECT w.word FROM indexed_word w WHERE w.workspace = ${workspace} AND w.kind = $2 AND w.word >= $3 ORDER BY w.word LIMIT 1)
    UNION ALL
    SELECT (SELECT w.word FROM indexed_word w WHERE w.workspace = ${workspace} AND w.kind = $2 AND w.word > next.word
      ORDER BY w.word LIMIT 1) FROM next WHERE starts_with(next.word, $3))
  SELECT word FROM next WHERE starts_with(word, $3) LIMIT $4`

/** Whether a text has a term of each group. */
export function hasAll(words: readonly string[], groups: readonly (readonly Term[])[]): boolean {
  return groups.every((terms) => terms.some((term) => hasTerm(words, term)))
}

function hasTerm(words: readonly string[], { words: asked, isPrefix }: Term): boolean {
  const last = asked.length - 1
  const isAt = (from: number) =>
    asked.every((word, i) =>
      isPrefix && i === last ? words[from + i]?.startsWith(word) === true : words[from + i] === word,
    )
  for (let from = 0; from + last < words.length; from++) if (isAt(from)) return true
  return false
}

/** Converts words as recall requests them: words separated by spaces must follow each other. */
export const toTerm = (text: string): Term => ({ words: text.split(' '), isPrefix: false })
