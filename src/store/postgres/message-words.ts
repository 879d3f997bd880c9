// The words of messages, to find messages and to check phrases.

import { conversationNumberOf, type MessageLocator, positionOf, toLocator } from '../../domain/locator.ts'
import type { SearchTerm } from '../../domain/search.ts'
import { type PackedRow, parseContent } from '../rows.ts'
import { withWords } from './blocks.ts'
import { type EntryLookup, findEntries } from './find-entries.ts'
import type { Session } from './session.ts'
import { messageEntry } from './word-index.ts'
import { toWorkspace, type WordScope } from './word-rows.ts'
import type { Term } from './word-terms.ts'

export type MessageLookup = Omit<EntryLookup, 'index' | 'readWords'>

/** Yields locators in batches, highest first. */
export function findMessages(session: Session, lookup: MessageLookup): AsyncGenerator<readonly number[]> {
  return findEntries(session, {
    ...lookup,
    index: 'message',
    readWords: (places) => readMessageWords(session, lookup.workspace, places),
  })
}

export const toGroups = (terms: readonly SearchTerm[]): readonly (readonly Term[])[] =>
  terms.map((term) => [term])

/** Splits locators into two list parameters. */
export const toPlaceColumns = (
  places: readonly number[],
): readonly [conversations: readonly number[], positions: readonly number[]] => [
  places.map((place) => conversationNumberOf(place as MessageLocator)),
  places.map((place) => positionOf(place as MessageLocator)),
]

async function readMessageWords(
  session: Session,
  workspace: WordScope['workspace'],
  places: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const rows = await session.all<PackedRow & { workspace: number; conversation: number }>(
    `SELECT m.workspace, m.conversation, m.position, m.content, m.metadata, m.block
     FROM unnest($2::bigint[], $3::int[]) AS s (conversation, position)
     JOIN message m ON m.workspace = ${toWorkspace(workspace)} AND m.conversation = s.conversation
       AND m.position = s.position`,
    workspace,
    ...toPlaceColumns(places),
  )
  const [first] = rows
  if (first === undefined) return new Map()
  const whole = await withWords(session, first.workspace, rows)
  return new Map(
    whole.map(({ conversation, position, content }) => [
      toLocator(conversation, position) as number,
      messageEntry(conversation, { position, content: parseContent(content) }).words,
    ]),
  )
}
