// Finds chunks of documents by their words and those of their headings, as messages are found: each word on its own, up
// to a limit; then the best are read. Chunks of the active file come first.

import { definedFields } from '../../domain/defined-fields.ts'
import { readChunkId } from '../../domain/document.ts'
import type { ConversationId, DocumentId } from '../../domain/ids.ts'
import { conversationNumberOf, type MessageLocator, toLocator } from '../../domain/locator.ts'
import type { Reason } from '../../domain/recall.ts'
import type { ResolvedRecall } from '../../options/recall-options.ts'
import type { DocumentStore, PlacedChunk } from '../../store/document-store.ts'
import type { RecallScope } from '../../store/recall-store.ts'
import type { Question } from '../question/read-question.ts'
import { nearestFirst, rarity, type TermMatches } from '../rank/word-matches.ts'
import { toWordPlaces } from '../rank/word-places.ts'
import type { ScoredItem } from '../scored-item.ts'
import { textJudge } from './weigh-text.ts'

export interface ChunkSearch {
  readonly store: Pick<DocumentStore, 'findChunkPlaces' | 'chunksAt'>
  readonly scope: RecallScope
  readonly options: ResolvedRecall
  /** The id of the active document. */
  readonly activeFile?: string
  /** Conversations to which it is attached, if it is visible only because it is the active file. */
  readonly activeFileOf?: readonly ConversationId[]
  readonly ideal: number
  /** Similarity in meaning by chunk id. */
  readonly near?: ReadonlyMap<string, number>
  /** Maximum results. */
  readonly topK: number
  /** Minimum similarity. */
  readonly threshold: number
}

/** Maximum chunks looked up per word, and maximum chunks read. */
const MAX_CHUNKS_PER_WORD = 200
const MAX_CHUNKS_READ = 40
/** Assumed corpus size, so that no word counts as common in a small one. */
const MIN_CORPUS_CHUNKS = 1000
/** Enough to rank every chunk of the active file first. */
const ACTIVE_FILE_BOOST = 5

export async function findChunks(question: Question, search: ChunkSearch): Promise<readonly ScoredItem[]> {
  const matches = await matchChunks(question, search)
  const places = new Set([...nearestFirst(matches, MAX_CHUNKS_READ), ...(await findNearPlaces(search))])
  const chunks = await search.store.chunksAt(search.scope.workspace, [...places])
  const judge = textJudge(question, matches, search.options)
  const found = chunks.map((chunk) => {
    const text = `${chunk.headingPath.join('\n')}\n${chunk.text}`
    const { score, similarity, why } = judge.judge(text, search.near?.get(chunk.id))
    const isActive = chunk.documentId === search.activeFile
    return toScoredItem(chunk, {
      score: (score + (isActive ? ACTIVE_FILE_BOOST : 0)) / search.ideal,
      similarity,
      why: isActive ? [...why, IS_OPEN] : why,
    })
  })
  return found
    .filter(({ similarity }) => similarity >= search.threshold)
    .sort((one, other) => other.score - one.score)
    .slice(0, search.topK)
}

/** The chunks near in meaning, without documents outside the scope. */
async function findNearPlaces({
  store,
  scope,
  near,
  activeFile,
  activeFileOf,
}: ChunkSearch): Promise<readonly MessageLocator[]> {
  const nearest = [...(near ?? [])].sort((one, other) => other[1] - one[1]).slice(0, MAX_CHUNKS_READ)
  const parsed = nearest.flatMap(([id]) => readChunkId(id) ?? [])
  const documents = [...new Set(parsed.map(({ documentId }) => documentId))]
  const found = await Promise.all(
    documents.map(async (documentId) => {
      const conversations = documentId === activeFile ? activeFileOf : undefined
      const lookup = {
        ...scope,
        ...definedFields({ conversations }),
        documents: [documentId],
        allOf: [],
        limit: 1,
      }
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

const IS_OPEN: Reason = { signal: 'active-file', score: ACTIVE_FILE_BOOST, text: 'from the active file' }

/** Matches words in chunks. The active file is looked up separately, so that none of its chunks is missed. */
async function matchChunks(question: Question, search: ChunkSearch): Promise<readonly TermMatches[]> {
  const { store, scope, activeFile, activeFileOf } = search
  return Promise.all(
    question.terms.map(async (term) => {
      const lookup = { ...scope, allOf: [term.forms], limit: MAX_CHUNKS_PER_WORD }
      const [all, open] = await Promise.all([
        store.findChunkPlaces(lookup),
        activeFile === undefined
          ? undefined
          : store.findChunkPlaces({
              ...lookup,
              ...definedFields({ conversations: activeFileOf }),
              documents: [activeFile as DocumentId],
            }),
      ])
      const places = [...new Set([...all.locators, ...(open?.locators ?? [])])]
      const weight = term.weight * rarity(all.count, Math.max(MIN_CORPUS_CHUNKS, 2 * all.count))
      return { ...toWordPlaces(places), term, weight, count: all.count }
    }),
  )
}

function toScoredItem(
  chunk: PlacedChunk,
  { score, similarity, why }: Pick<ScoredItem, 'score' | 'similarity' | 'why'>,
): ScoredItem {
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
