import { conversationNumberOf, type MessageLocator } from '../../domain/locator.ts'
import type { SearchTerm } from '../../domain/search.ts'
import type { Connection } from './connection.ts'
import { toMatch } from './word-index.ts'

interface Within {
  readonly first: MessageLocator
  /** Exclusive. */
  readonly end: MessageLocator
  /** Maximum number of results. */
  readonly count: number
}

/** The places that match a search, in all workspaces. */
export interface Hits {
  /** All places, or undefined if there are more than `most`. */
  upTo(most: number): readonly MessageLocator[] | undefined
  /** Highest first. */
  within(range: Within): readonly MessageLocator[]
  /** The numbers of the conversations with matches. */
  conversations(): ReadonlySet<number>
}

/** Reused for many lookups: for a prefix, FTS5 joins the lists of all matching words each time. */
export function hitsOf(connection: Connection, terms: readonly SearchTerm[]): Hits {
  return terms.some(({ isPrefix }) => isPrefix) ? listedHits(connection, terms) : lazyHits(connection, terms)
}

const PLACES = 'SELECT rowid AS place FROM message_words WHERE message_words MATCH ?'

function readPlaces(
  connection: Connection,
  sql: string,
  ...values: (string | number)[]
): readonly MessageLocator[] {
  const row = connection.get<{ places: string }>(
    `SELECT json_group_array(place) AS places FROM (${sql})`,
    ...values,
  )
  return JSON.parse(row?.places ?? '[]')
}

export function lazyHits(connection: Connection, terms: readonly SearchTerm[]): Hits {
  const match = toMatch(terms)
  return {
    upTo(most) {
      const places = readPlaces(connection, `${PLACES} LIMIT ?`, match, most + 1)
      return places.length > most ? undefined : places
    },
    within({ first, end, count }) {
      // FTS5 stops at the end of a range only if the bound is an integer, and drivers bind large numbers as reals.
      const range = 'rowid >= CAST(? AS INTEGER) AND rowid < CAST(? AS INTEGER)'
      return readPlaces(
        connection,
        `${PLACES} AND ${range} ORDER BY rowid DESC LIMIT ?`,
        match,
        first,
        end,
        count,
      )
    },
    conversations() {
      const row = connection.get<{ numbers: string }>(
        `SELECT json_group_array(DISTINCT place >> 24) AS numbers FROM (${PLACES})`,
        match,
      )
      return new Set(JSON.parse(row?.numbers ?? '[]'))
    },
  }
}

function listedHits(connection: Connection, terms: readonly SearchTerm[]): Hits {
  const places = readPlaces(connection, `${PLACES} ORDER BY rowid DESC`, toMatch(terms))
  return {
    upTo: (most) => (places.length > most ? undefined : places),
    within({ first, end, count }) {
      const from = countFrom(places, end)
      return places.slice(from, from + count).filter((place) => place >= first)
    },
    conversations: () => new Set(places.map(conversationNumberOf)),
  }
}

/** How many of the places, sorted highest first, are at `end` or above. */
function countFrom(places: readonly MessageLocator[], end: MessageLocator): number {
  let low = 0
  for (let high = places.length; low < high; ) {
    const middle = (low + high) >> 1
    if ((places[middle] as MessageLocator) < end) high = middle
    else low = middle + 1
  }
  return low
}
