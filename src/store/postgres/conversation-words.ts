import type { SearchTerm } from '../../domain/search.ts'
import { EVERYWHERE, findEntries, takeEntries } from './find-entries.ts'
import type { Session } from './session.ts'
import { conversationEntry, ENTRIES } from './word-index.ts'

/** Titles are short: a word in more conversations than this does not narrow down the search. */
const MOST_FOUND = 100_000

/** The numbers of conversations with all the terms in title and tags. */
export async function findConversationsByWords(
  session: Session,
  workspace: number,
  terms: readonly SearchTerm[],
): Promise<readonly number[]> {
  const entries = findEntries(session, {
    workspace,
    index: 'conversation',
    groups: terms.map((term) => [term]),
    ranges: EVERYWHERE,
    wanted: MOST_FOUND,
    readWords: (numbers) => readWords(session, workspace, numbers),
  })
  return (await takeEntries(entries, MOST_FOUND)).map((number) => number / ENTRIES)
}

async function readWords(
  session: Session,
  workspace: number,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const rows = await session.all<{ number: number; title: string | null; tags: string }>(
    'SELECT number, title, tags FROM conversation WHERE workspace = $1 AND number = ANY($2::bigint[])',
    workspace,
    numbers.map((number) => number / ENTRIES),
  )
  return new Map(rows.map((row) => conversationEntry(row)).map(({ number, words }) => [number, words]))
}
