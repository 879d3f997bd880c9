// All that is no message: facts, notes, summaries, past queries, pieces of documents.

import { definedFields } from '../../domain/defined-fields.ts'
import type { Fact } from '../../domain/fact.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { Note } from '../../domain/note.ts'
import type { Query } from '../../domain/page.ts'
import type { ResolvedRag, ResolvedRecall } from '../../options/recall-options.ts'
import type { DocumentStore } from '../../store/document-store.ts'
import type { RecallStore } from '../../store/recall-store.ts'
import type { FoundMessages } from '../find-messages.ts'
import type { Found } from '../found.ts'
import type { NearThings } from '../meaning.ts'
import type { Question } from '../question/read-question.ts'
import { findTurnedOff, keepWanted, type OtherScope, type Scoped, scopeOf, wantsFact } from '../scope.ts'
import { findChunks } from './find-chunks.ts'
import { findFacts } from './find-facts.ts'
import { findNotes } from './find-notes.ts'
import { findQueries } from './find-queries.ts'
import { type ConversationSummary, findSummaries } from './find-summaries.ts'
import type { TextJudge } from './weigh-text.ts'

export interface OtherParts extends OtherScope {
  readonly store: RecallStore & Pick<DocumentStore, 'findChunkPlaces' | 'chunksAt'>
  readonly options: ResolvedRecall
  readonly rag: ResolvedRag
  readonly readSummaries: (
    conversations: readonly ConversationId[],
  ) => Promise<readonly ConversationSummary[]>
  readonly findQueries: (
    question: string,
    conversations: readonly ConversationId[],
  ) => Promise<readonly Query[]>
}

/** Sources of facts, and conversations with summaries and queries, are those of the best so many messages. */
const BEST = 50
const BEST_CONVERSATIONS = 5

/** What was found so far, and by what the rest is judged. */
export interface OtherMaterial {
  readonly question: Question
  readonly facts: readonly Fact[]
  readonly notes: readonly Note[]
  readonly found: FoundMessages
  readonly near: NearThings
  readonly judge: TextJudge
  readonly ideal: number
}

export async function findOthers(
  parts: OtherParts,
  request: Scoped,
  material: OtherMaterial,
): Promise<readonly Found[]> {
  const { question, facts, notes, found, near, judge, ideal } = material
  const { kinds } = request
  const best = found.messages.slice(0, BEST)
  const currentConversationId =
    request.currentConversationId === undefined ? [] : [request.currentConversationId]
  const conversations =
    request.conversations ??
    [...new Set([...currentConversationId, ...best.map(({ head }) => head.conversationId)])].slice(
      0,
      BEST_CONVERSATIONS,
    )
  const ownFacts = findFacts(kinds.has('fact') ? facts : [], judge, {
    sources: best.map(({ head }) => head.id),
    isWanted: wantsFact(request),
    ideal,
    ...definedFields({ near: near.fact }),
  })
  const [summaries, queries, chunks] = await Promise.all([
    kinds.has('summary') && request.asOf === undefined
      ? parts.readSummaries(withNear(conversations, near, request))
      : [],
    kinds.has('query') ? parts.findQueries(question.text, conversations) : [],
    kinds.has('chunk')
      ? findChunks(question, {
          ...parts,
          ...definedFields({ activeFile: request.activeFile }),
          scope: scopeOf(request),
          ...definedFields({ near: near.chunk }),
          ideal,
          topK: parts.rag.topK,
          threshold: parts.rag.threshold,
        })
      : [],
    // Asked for now, it need not be waited for later.
    findTurnedOff(parts, request, [...conversations, ...ownFacts.map(({ conversationId: id }) => id)]),
  ])
  return keepWanted(parts, request, [
    ...ownFacts,
    ...findNotes(notes, judge, { ideal, ...definedFields({ near: near.note }) }),
    ...findSummaries(summaries, judge, {
      ideal,
      asksForAll: question.asksForAll,
      ...definedFields({ near: near.summary }),
    }),
    ...findQueries(queries, judge, ideal),
    ...chunks,
  ])
}

/** Where no conversations are asked for, those too whose summaries are near. */
function withNear(
  conversations: readonly ConversationId[],
  { summary }: NearThings,
  { conversations: asked }: Scoped,
): readonly ConversationId[] {
  if (asked !== undefined || summary === undefined) return conversations
  const near = [...summary.keys()].slice(0, BEST_CONVERSATIONS) as ConversationId[]
  return [...new Set([...conversations, ...near])]
}
