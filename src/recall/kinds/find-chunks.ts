// Pieces of documents, found by their words and those of the headings above them, as messages are: each word by itself,
// up to a limit; then the best are read. Pieces of the file that is open come first.

import { readChunkId } from '../../domain/document.ts'
import type { DocumentId } from '../../domain/ids.ts'
import { conversationNumberOf, type MessageLocator, toLocator } from '../../domain/locator.ts'
import type { Reason } from '../../domain/recall.ts'
import type { ResolvedRecall } from '../../options/recall-options.ts'
import type { DocumentStore, PlacedChunk } from '../../store/document-store.ts'
import type { RecallScope } from '../../store/recall-store.ts'
import type { Found } from '../found.ts'
import type { Question } from '../question/read-question.ts'
import { nearestFirst, rarity, type TermMatches } from '../rank/word-matches.ts'
import { toWordPlaces } from '../rank/word-places.ts'
import { textJudge } from './weigh-text.ts'

export interface ChunkSearch {
  readonly store: Pick<DocumentStore, 'findChunkPlaces' | 'chunksAt'>
  readonly scope: RecallScope
  readonly options: ResolvedRecall
  /** The document that is open. */
  readonly activeFile?: string
  readonly ideal: number
  /** Chunks that are near in meaning, by their ids. */
  readonly near?: ReadonlyMap<string, number>
  /** The most that come up. */
  readonly topK: number
  /** Those that are less like the question stay out. */
  readonly threshold: number
}

/** Of each word, so many chunks are looked at; and of the best so many are read. */
const PER_WORD = 200
const READ = 40
/** No store has so few chunks that a word in one of them would be common. */
const FEW_CHUNKS = 1000
/** What puts any piece of the open file before all others. */
const ACTIVE_FILE = 5

export async function findChunks(question: Question, search: ChunkSearch): Promise<readonly Found[]> {
  const matches = await matchChunks(question, search)
  const places = new Set([...nearestFirst(matches, READ), ...(await findNearPlaces(search))])
  const chunks = await search.store.chunksAt(search.scope.workspace, [...places])
  const judge = textJudge(question, matches, search.options)
  const found = chunks.map((chunk) => {
    const text = `${chunk.headingPath.join('\n')}\n${chunk.text}`
    const { score, similarity, why } = judge.judge(text, search.near?.get(chunk.id))
    const isActive = chunk.documentId === search.activeFile
    return toFound(chunk, {
      score: (score + (isActive ? ACTIVE_FILE : 0)) / search.ideal,
      similarity,
      why: isActive ? [...why, IS_OPEN] : why,
    })
  })
  return found
    .filter(({ similarity }) => similarity >= search.threshold)
    .sort((one, other) => other.score - one.score)
    .slice(0, search.topK)
}

/** Of the chunks that are near: documents that the scope does not allow are not there for it. */
async function findNearPlaces({ store, scope, near }: ChunkSearch): Promise<readonly MessageLocator[]> {
  const nearest = [...(near ?? [])].sort((one, other) => other[1] - one[1]).slice(0, READ)
  const parsed = nearest.flatMap(([id]) => readChunkId(id) ?? [])
  const documents = [...new Set(parsed.map(({ documentId }) => documentId))]
  const found = await Promise.all(
    documents.map(async (documentId) => {
      const lookup = { ...scope, documents: [documentId], allOf: [], limit: 1 }
      const { locators } = await store.findChunkPlaces(lookup)
      return [documentId, locators[0]] as const
    }),
  )
  const anyPlace = new Map(found)
  return parsed.flatMap(({ documentId, index }) => {
    const place = anyPlace.get(documentId)
    return place === undefined ? [] : [toLocator(conversationNumberOf(place), index)]
  })
}

const IS_OPEN: Reason = { signal: 'active-file', score: ACTIVE_FILE, text: 'of the file that is open' }

/** Words of the question in chunks; those of the open file are looked up by themselves, so that none is missed. */
async function matchChunks(question: Question, search: ChunkSearch): Promise<readonly TermMatches[]> {
  const { store, scope, activeFile } = search
  return Promise.all(
    question.terms.map(async (term) => {
      const lookup = { ...scope, allOf: [term.forms], limit: PER_WORD }
      const [all, open] = await Promise.all([
        store.findChunkPlaces(lookup),
        activeFile === undefined
          ? undefined
          : store.findChunkPlaces({ ...lookup, documents: [activeFile as DocumentId] }),
      ])
      const places = [...new Set([...all.locators, ...(open?.locators ?? [])])]
      const weight = term.weight * rarity(all.count, Math.max(FEW_CHUNKS, 2 * all.count))
      return { ...toWordPlaces(places), term, weight, count: all.count }
    }),
  )
}

function toFound(
  chunk: PlacedChunk,
  { score, similarity, why }: Pick<Found, 'score' | 'similarity' | 'why'>,
): Found {
  const source = [chunk.documentName, ...chunk.headingPath].join(' › ')
  return {
    kind: 'chunk',
    id: chunk.id,
    text: chunk.text,
    score: Math.min(1, score),
    similarity,
    why,
    messageIds: [],
    createdAt: chunk.createdAt,
    source,
  }
}
