// The words of messages: by them they are found, and in them phrases are looked for.

import { conversationNumberOf, type Place, placeOf, positionOf } from '../../domain/place.ts'
import type { SearchTerm } from '../../domain/search.ts'
import type { PackedRow } from '../rows.ts'
import { withWords } from './blocks.ts'
import type { Session } from './connection.ts'
import { type EntryRange, findEntries } from './find-entries.ts'
import { messageEntry } from './word-index.ts'
import type { Term } from './word-terms.ts'

export interface MessageLookup {
  readonly workspace: number
  readonly groups: readonly (readonly Term[])[]
  readonly ranges: readonly EntryRange[]
  readonly wanted: number
}

/** Places, the highest first, some at a time. */
export function findMessages(session: Session, lookup: MessageLookup): AsyncGenerator<readonly number[]> {
  return findEntries(session, {
    ...lookup,
    index: 'message',
    readWords: (places) => readMessageWords(session, lookup.workspace, places),
  })
}

export const toGroups = (terms: readonly SearchTerm[]): readonly (readonly Term[])[] =>
  terms.map((term) => [term])

/** Places as two lists for a statement. */
export const toPlaceColumns = (
  places: readonly number[],
): readonly [conversations: readonly number[], positions: readonly number[]] => [
  places.map((place) => conversationNumberOf(place as Place)),
  places.map((place) => positionOf(place as Place)),
]

async function readMessageWords(
  session: Session,
  workspace: number,
  places: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const rows = await session.all<PackedRow & { conversation: number }>(
    `SELECT m.conversation, m.position, m.content, m.metadata, m.block
     FROM unnest($2::bigint[], $3::int[]) AS s (conversation, position)
     JOIN message m ON m.workspace = $1 AND m.conversation = s.conversation AND m.position = s.position`,
    workspace,
    ...toPlaceColumns(places),
  )
  const whole = await withWords(session, workspace, rows)
  return new Map(
    whole.map(({ conversation, position, content }) => [
      placeOf(conversation, position) as number,
      messageEntry(conversation, { position, content: JSON.parse(content) }).words,
    ]),
  )
}
