// Finds everything other than messages: facts, notes, summaries, past queries, chunks of documents.

import { definedFields } from '../../domain/defined-fields.ts'
import type { Fact } from '../../domain/fact.ts'
import { type ConversationId, conversationId, type MessageId } from '../../domain/ids.ts'
import type { Note } from '../../domain/note.ts'
import { type Query, searchableText } from '../../domain/page.ts'
import type { ResolvedRag, ResolvedRecall } from '../../options/recall-options.ts'
import type { DocumentStore } from '../../store/document-store.ts'
import type { RecallStore } from '../../store/recall-store.ts'
import type { FoundMessages } from '../find-messages.ts'
import type { NearItems } from '../meaning.ts'
import type { Question } from '../question/read-question.ts'
import { findTurnedOff, keepWanted, type OtherScope, type Scoped, scopeOf, wantsFact } from '../scope.ts'
import type { ScoredItem } from '../scored-item.ts'
import { indexFacts } from './fact-index.ts'
import { findChunks } from './find-chunks.ts'
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

/** Facts, summaries and queries are looked up for the best messages and their conversations. */
const MAX_SOURCE_MESSAGES = 50
const MAX_CONVERSATIONS = 5

/** Results so far, and how to score the rest. */
export interface OtherMaterial {
  readonly question: Question
  readonly facts: readonly Fact[]
  readonly notes: readonly Note[]
  readonly found: FoundMessages
  readonly near: NearItems
  readonly judge: TextJudge
  readonly ideal: number
}

export async function findOthers(
  parts: OtherParts,
  request: Scoped,
  material: OtherMaterial,
): Promise<readonly ScoredItem[]> {
  const { question, facts, notes, found, near, judge, ideal } = material
  const { kinds } = request
  const best = found.messages.slice(0, MAX_SOURCE_MESSAGES)
  const currentConversationId =
    request.currentConversationId === undefined ? [] : [request.currentConversationId]
  const conversations =
    request.conversations ??
    [...new Set([...currentConversationId, ...best.map(({ head }) => head.conversationId)])].slice(
      0,
      MAX_CONVERSATIONS,
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
          ...definedFields({ activeFile: request.activeFile, activeFileOf: request.activeFileOf }),
          // A document is visible where it is attached, however far messages are looked for.
          scope: { ...scopeOf(request), conversations: request.documentsOf },
          ...definedFields({ near: near.chunk }),
          ideal,
          topK: parts.rag.topK,
          threshold: parts.rag.threshold,
        })
      : [],
    // Starts early; the result is memoized.
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

/** Adds conversations whose summaries are near, unless the request names conversations. */
function withNear(
  conversations: readonly ConversationId[],
  { summary }: NearItems,
  { conversations: asked }: Scoped,
): readonly ConversationId[] {
  if (asked !== undefined || summary === undefined) return conversations
  const near = [...summary.keys()].slice(0, MAX_CONVERSATIONS) as ConversationId[]
  return [...new Set([...conversations, ...near])]
}

function findNotes(
  notes: readonly Note[],
  judge: TextJudge,
  { ideal, near }: { readonly ideal: number; readonly near?: ReadonlyMap<string, number> },
): readonly ScoredItem[] {
  return notes.flatMap((note) => {
    const { score, similarity, why } = judge.judge(
      `${note.source.title ?? ''}\n${note.text}`,
      near?.get(note.id),
    )
    if (similarity === 0) return []
    const source = note.source.title ?? note.source.url ?? note.source.tool
    return [
      {
        kind: 'note' as const,
        id: note.id,
        text: note.text,
        score: Math.min(1, score / ideal),
        similarity,
        why,
        messageIds: note.messageIds,
        ...(note.conversationId !== undefined && { conversationId: note.conversationId }),
        createdAt: note.createdAt,
        ...(source !== undefined && { source }),
      },
    ]
  })
}

function findQueries(queries: readonly Query[], judge: TextJudge, ideal: number): readonly ScoredItem[] {
  return queries.flatMap((query) => {
    const { score, similarity, why } = judge.judge(searchableText(query))
    if (similarity === 0) return []
    return [
      {
        kind: 'query' as const,
        id: query.id,
        text: queryText(query),
        score: Math.min(1, score / ideal),
        similarity,
        why,
        messageIds: [],
        conversationId: conversationId(query.pageId),
        createdAt: query.createdAt,
        source: 'query history',
      },
    ]
  })
}

const ANSWER_CHARACTERS = 500

/** The question and the beginning of its answer. */
function queryText({ query, sql, response }: Query): string {
  const parts = [query, sql, response?.slice(0, ANSWER_CHARACTERS)]
  return parts.filter((part) => part !== null && part !== undefined && part !== '').join('\n')
}

interface FactSearch {
  /** The best messages. */
  readonly sources: Iterable<MessageId>
  readonly isWanted: (fact: Fact) => boolean
  readonly ideal: number
  /** Similarity in meaning by fact id; only with a vector store. */
  readonly near?: ReadonlyMap<string, number>
}

/** Facts that match the question by words or meaning, among standing facts and those stated by the best messages. */
function findFacts(
  facts: readonly Fact[],
  judge: TextJudge,
  { sources, isWanted, ideal, near }: FactSearch,
): readonly ScoredItem[] {
  const { standing, bySource } = indexFacts(facts)
  const candidates = new Set(standing)
  for (const id of sources) for (const fact of bySource.get(id) ?? []) candidates.add(fact)
  if (near !== undefined) for (const fact of facts) if (near.has(fact.id)) candidates.add(fact)
  return [...candidates].filter(isWanted).flatMap((fact) => {
    const nearness = near?.get(fact.id)
    const text = factText(fact)
    const { score, similarity, why } = judge.judge(text, nearness)
    if (similarity === 0) return []
    return [
      {
        kind: 'fact' as const,
        id: fact.id,
        text,
        score: Math.min(1, score / ideal),
        similarity,
        why,
        messageIds: fact.sources,
        ...(fact.conversationIds[0] !== undefined && { conversationId: fact.conversationIds[0] }),
        createdAt: fact.saidAt,
        source: fact.subject,
      },
    ]
  })
}

/** The text shown to a reader: who, what, since when. */
function factText({ kind, subject, attribute, value, validFrom, validUntil }: Fact): string {
  if (kind === 'instruction') return value
  if (kind === 'statement')
    return `${subject === 'user' ? '' : `${subject}: `}${value} (said ${day(validFrom)})`
  const until = validUntil === undefined ? '' : `, until ${day(validUntil)}`
  return `${subject}: ${attribute} is ${value} (since ${day(validFrom)}${until})`
}

const day = (moment: Date): string => moment.toISOString().slice(0, 10)
