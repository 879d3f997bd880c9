import type { SearchTerm } from '../../domain/search.ts'
import type { Engine } from '../sql/engine.ts'
import type { Db, EngineCall, Statement } from '../sql/statement.ts'
import { takeOut, withWords } from './blocks.ts'
import { removeChunkWords, writeChunks } from './chunks.ts'
import { dropChunks, writeDocumentText } from './documents.ts'
import { EVERYWHERE, findEntries, takeEntries } from './find-entries.ts'
import {
  removeConversationWords,
  removeMessageWords,
  removePageWords,
  removeQueryWords,
} from './removed-words.ts'
import type { Session } from './session.ts'
import { addEntries, conversationEntry, ENTRIES, removeEntries } from './word-index.ts'

/** What shared work calls on PostgreSQL. */
export const ENGINE: {
  readonly [Method in keyof Engine]: (
    session: Session,
    ...values: Parameters<Engine[Method]>
  ) => Promise<ReturnType<Engine[Method]>>
} = {
  indexConversation: async (session, { before, after }) => {
    const key = { workspace: (after ?? before)?.workspace ?? 0, index: 'conversation' } as const
    if (before !== undefined) await removeEntries(session, key, [conversationEntry(before)])
    if (after !== undefined) await addEntries(session, key, [conversationEntry(after)])
  },
  writeDocumentText,
  writeChunks,
  dropChunks,
  withContents: (session, workspace, rows) => withWords(session, workspace, [...rows]),
  takeOutOfBlock: takeOut,
  expectRemovals: async () => undefined,
  removeMessageWords,
  removeConversationWords,
  removePageWords,
  removeQueryWords,
  removeChunkWords,
  deleteWorkspace: async (session, number) => {
    // Cascades to everything but the index; after that, no other transaction can add to the index.
    await session.run('DELETE FROM workspace WHERE number = $1', number)
    await session.run('DELETE FROM indexed_word WHERE workspace = $1', number)
    return true
  },
  findConversations: async (session, workspace, terms) => ({
    sql: (name) => `c.number = ANY(${name}::bigint[])`,
    value: await findConversationsByWords(session, workspace, terms),
  }),
}

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

/** Runs work shared by both engines, statement by statement. */
export async function execute<T>(session: Session, work: Db<T>): Promise<T> {
  let step = work.next()
  while (step.done !== true) step = work.next(await answer(session, step.value))
  return step.value
}

function answer(session: Session, yielded: Statement | EngineCall): Promise<unknown> {
  if ('sql' in yielded) {
    const { method, sql, values } = yielded
    return session[method === 'lock' ? 'run' : method](sql, ...values)
  }
  const call = ENGINE[yielded.method] as (session: Session, ...values: readonly unknown[]) => Promise<unknown>
  return call(session, ...yielded.values)
}
