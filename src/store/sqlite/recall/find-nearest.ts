// Finds messages by similarity. If there are few, all vectors are compared. If there are many, sketches, which are
// kept in memory, select the vectors to read and compare.

import { type MessageLocator, toLocator } from '../../../domain/locator.ts'
import type { VectorLookup } from '../../recall-store.ts'
import { SKETCH_WORDS, SketchComparison } from '../../sketch.ts'
import { compareSmall, smallBytes } from '../../vector-bytes.ts'
import type { Connection } from '../connection.ts'
import { toPlace } from '../readings.ts'
import { MOST_SKETCHES, type SeenDerivation } from './recent-sketches.ts'
import { readScope, type Scope } from './scope.ts'
import { readSketches } from './stored-sketches.ts'

interface Near {
  readonly place: MessageLocator
  readonly similarity: number
}

/** Reading and comparing this many takes 20 ms with 384 dimensions; sketches would not be much faster. */
const ALL_COMPARED = 20_000
/** Reading these takes about 3 ms, and they nearly always include the nearest. */
const CHOSEN_COMPARED = 1000
/** Vectors per read: 2 MB with 384 dimensions. */
const PORTION = 5000

export function findNearest(connection: Connection, lookup: VectorLookup): readonly Near[] {
  const nearest = connection.snapshot(() => {
    const scope = readScope(connection, lookup)
    if (scope === undefined) return []
    const derivations = listDerivations(connection, scope, lookup)
    const messages = derivations.reduce((sum, { cursor }) => sum + cursor, 0)
    return messages <= ALL_COMPARED
      ? compareAll(connection, derivations, lookup)
      : compareChosen(connection, derivations, lookup)
  })
  return nearest.sort((a, b) => b.similarity - a.similarity || b.place - a.place).slice(0, lookup.limit)
}

/** Active derivations, highest conversation first. */
function listDerivations(
  connection: Connection,
  scope: Scope,
  { deriver, version }: VectorLookup,
): readonly SeenDerivation[] {
  const isListed = scope.conversations !== undefined
  const row = connection.get<{ list: string }>(
    `SELECT json_group_array(json_object('number', number, 'conversation', conversation, 'generation', generation,
       'version', version, 'revision', revision, 'cursor', cursor)) AS list FROM (
         SELECT d.* FROM conversation c
         CROSS JOIN derivation d ON d.conversation = c.number AND d.deriver = ? AND d.is_active = 1
           AND d.version = coalesce(?, d.version)
         WHERE c.workspace = ? AND ${isListed ? 'c.number IN (SELECT value FROM json_each(?))' : 'c.is_memory_on = 1'}
         ORDER BY c.number DESC)`,
    deriver,
    version ?? null,
    scope.workspace,
    ...(isListed ? [JSON.stringify(scope.conversations.map(({ number }) => number))] : []),
  )
  return JSON.parse(row?.list ?? '[]')
}

/** Readings from the first place to `end`, exclusive. */
type ReadingRange = readonly [first: number, end: number]

function compareAll(
  connection: Connection,
  derivations: readonly SeenDerivation[],
  lookup: VectorLookup,
): Near[] {
  const near: Near[] = []
  for (const ranges of inPortions(derivations))
    near.push(...compareIn(connection, ranges, { derivations, lookup }))
  return near
}

function* inPortions(derivations: readonly SeenDerivation[]): Generator<readonly ReadingRange[]> {
  let ranges: ReadingRange[] = []
  let messages = 0
  for (const { number, cursor } of derivations) {
    for (let first = 0; first < cursor; first += PORTION) {
      const end = Math.min(first + PORTION, cursor)
      ranges.push([toPlace(number, first), toPlace(number, end)])
      messages += end - first
      if (messages < PORTION) continue
      yield ranges
      ranges = []
      messages = 0
    }
  }
  yield ranges
}

function compareChosen(
  connection: Connection,
  derivations: readonly SeenDerivation[],
  lookup: VectorLookup,
): Near[] {
  let room = MOST_SKETCHES
  const lists = derivations.flatMap((derivation) => {
    room -= derivation.cursor
    if (room < 0) return []
    const readAfter = (position: number) => readSketches(connection, derivation.number, position)
    return [{ derivation, sketches: connection.recentSketches.read(derivation, readAfter) }]
  })
  const chosen = chooseBySketch(lookup.vector, lists, Math.max(CHOSEN_COMPARED, lookup.limit))
  const ranges = chosen.map(({ list, position }): ReadingRange => {
    const place = toPlace(list.derivation.number, position)
    return [place, place + 1]
  })
  return compareIn(connection, ranges, { derivations, lookup })
}

/** Returns all vectors in one value: one row each would take ten times as long. */
const VECTORS = `SELECT json_group_array(place) AS places, CAST(group_concat(vector, '') AS BLOB) AS vectors FROM (
  SELECT r.place, r.vector FROM json_each(?) s
  CROSS JOIN reading r ON r.place >= s.value ->> 0 AND r.place < s.value ->> 1 WHERE length(r.vector) = ?)`

function compareIn(
  connection: Connection,
  ranges: readonly ReadingRange[],
  { derivations, lookup }: { readonly derivations: readonly SeenDerivation[]; readonly lookup: VectorLookup },
): Near[] {
  const { vector, leastSimilarity } = lookup
  const row = connection.get<{ places: string; vectors: Uint8Array | null }>(
    VECTORS,
    JSON.stringify(ranges),
    smallBytes(vector.length),
  )
  const places: readonly number[] = JSON.parse(row?.places ?? '[]')
  const similarities = compareSmall(vector, row?.vectors ?? new Uint8Array(0))
  const conversations = new Map(derivations.map(({ number, conversation }) => [number, conversation]))
  return places.flatMap((place, i) => {
    const similarity = similarities[i] as number
    if (similarity < leastSimilarity) return []
    const derivation = Math.floor(place / toPlace(1, 0))
    return [{ place: toLocator(conversations.get(derivation) ?? 0, place % toPlace(1, 0)), similarity }]
  })
}

// Chooses candidates for the nearest vectors by their sketches: first by the number of differing bits, which is
// fast and approximate; then the best of those by a slower and more precise score.

/** Sketches of one conversation. */
export interface SketchList {
  readonly sketches: Int32Array
}

export interface Chosen<List> {
  readonly list: List
  readonly position: number
}

/** Candidates per result that are scored precisely; see bench/README.md for the recall this reaches. */
const ROUGHLY = 20

export function chooseBySketch<List extends SketchList>(
  vector: Float32Array,
  lists: readonly List[],
  count: number,
): readonly Chosen<List>[] {
  const comparison = new SketchComparison(vector)
  const near = findNear(comparison, lists, count * ROUGHLY)
  const scores = Float32Array.from(near, ({ list, at }) => comparison.score(list.sketches, at))
  const least = scores.toSorted().at(-count) ?? Number.NEGATIVE_INFINITY
  const chosen = near.filter((_, i) => (scores[i] as number) >= least)
  return chosen.map(({ list, at }) => ({ list, position: list.sketches[at] as number }))
}

interface NearSketch<List> {
  readonly list: List
  /** Offset of its words. */
  readonly at: number
}

/** The `count` sketches with the fewest differing bits, and all others at the same distance. */
function findNear<List extends SketchList>(
  comparison: SketchComparison,
  lists: readonly List[],
  count: number,
): readonly NearSketch<List>[] {
  const distances = measureAll(comparison, lists)
  const farthest = findFarthest(distances, count)
  const near: NearSketch<List>[] = []
  let i = 0
  for (const list of lists) {
    for (let at = 0; at < list.sketches.length; at += SKETCH_WORDS) {
      if ((distances[i++] as number) <= farthest) near.push({ list, at })
    }
  }
  return near
}

/** The number of differing bits of each sketch, in order. */
function measureAll(comparison: SketchComparison, lists: readonly SketchList[]): Uint16Array {
  const countIn = ({ sketches }: SketchList) => sketches.length / SKETCH_WORDS
  const distances = new Uint16Array(lists.reduce((sum, list) => sum + countIn(list), 0))
  let from = 0
  for (const list of lists) {
    comparison.measure(list.sketches, distances, from)
    from += countIn(list)
  }
  return distances
}

/** The smallest distance that includes at least `count` sketches, if there are as many. */
function findFarthest(distances: Uint16Array, count: number): number {
  const counts = new Uint32Array(257)
  for (let i = 0; i < distances.length; i++) {
    const distance = distances[i] as number
    counts[distance] = (counts[distance] as number) + 1
  }
  let farthest = 0
  for (let sum = counts[0] as number; sum < count && farthest < 256; sum += counts[farthest] as number)
    farthest += 1
  return farthest
}
