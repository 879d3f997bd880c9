// Collects the memory candidates of a context. Leaves out what the model already sees: turns that are sent, and facts
// that were first stated in them.

import { definedFields } from '../../domain/defined-fields.ts'
import { readChunkId } from '../../domain/document.ts'
import type { ConversationId, MessageId } from '../../domain/ids.ts'
import { type Message, readableText } from '../../domain/message.ts'
import type { Note } from '../../domain/note.ts'
import type { Recalled } from '../../domain/recall.ts'
import type { CountTokens } from '../../domain/tokens.ts'
import type { MemoryMaterial, RecallResult } from '../material.ts'
import { whyNoMemory } from './is-memory.ts'
import { type Dropped, type MemoryCandidate, toMemoryCandidate } from './memory-candidate.ts'
import { beginningOfFile, isAboutFile, pageCandidates } from './page-candidates.ts'
import type { StandingItem, StandingMemory } from './standing.ts'
import { noteSource, otherPlace, recalledLine, standingLine } from './to-lines.ts'

/** The messages that the model sees. */
export interface VisibleMessages {
  readonly conversationId: ConversationId | undefined
  readonly messages: readonly Message[]
  /** The time of the last message before the live turn: later notes were made for this turn. */
  readonly askedAfter: Date | undefined
}

export interface MemoryCandidates {
  readonly standing: Readonly<Record<keyof StandingMemory, readonly MemoryCandidate[]>>
  /** The state and the history of the page. */
  readonly page: readonly MemoryCandidate[]
  /** For the question, best first. */
  readonly forQuestion: readonly MemoryCandidate[]
  /** Already sent, or not worth remembering. */
  readonly unfit: readonly Dropped[]
}

interface Asked extends Pick<MemoryMaterial, 'standing' | 'notes'> {
  readonly found: RecallResult | undefined
  readonly visible: VisibleMessages
  readonly count: CountTokens
}

export function findCandidates({ standing, notes, found, visible, count }: Asked): MemoryCandidates {
  const seen = new Set(visible.messages.map(({ id }) => id))
  const { wishes, blocks, pinned, facts, preferences } = standing
  // Checks the first source only, so that repeating a fact does not change the prompt prefix.
  const unseen = (items: readonly StandingItem[]) =>
    items.filter(({ messageIds: [first] }) => first === undefined || !seen.has(first))
  const toStanding = (items: readonly StandingItem[]) => items.map((item) => fromStanding(item, count))
  const items = (found?.answer.items ?? []).map((item) => ({
    candidate: fromRecalled(item, { found, visible, count }),
    reason: whyNoMemory(item, found?.answer.question.asked ?? ''),
  }))
  const recalled = items.flatMap(({ candidate, reason }) => (reason === undefined ? [candidate] : []))
  const noMemories = items.flatMap(({ candidate, reason }) =>
    reason === undefined ? [] : [{ candidate, reason }],
  )
  const isSeen = ({ item }: MemoryCandidate) => isVisible(item, seen, visible.conversationId)
  const fresh = freshNotes(notes, visible).map((note) => fromNote(note, count))
  const all = uniqueItems([...fresh, ...withBeginning(recalled, { found, count })])
  return {
    standing: {
      wishes: toStanding(unseen(wishes)),
      blocks: toStanding(blocks),
      pinned: toStanding(pinned),
      facts: toStanding(unseen(facts)),
      preferences: toStanding(unseen(preferences)),
    },
    page: found?.page === undefined ? [] : pageCandidates(found.page, { said: saidIn(visible), count }),
    forQuestion: all.filter((candidate) => !isSeen(candidate)),
    unfit: [
      ...all.filter(isSeen).map((candidate) => ({ candidate, reason: 'already in the context' as const })),
      ...noMemories,
    ],
  }
}

const saidIn = ({ messages }: VisibleMessages): ReadonlySet<string> =>
  new Set(messages.map(({ content }) => readableText(content).trim()))

/**
 * If nothing of the active file was recalled, its beginning is a candidate: first if the question is about the file or
 * nothing else was recalled, otherwise last.
 */
function withBeginning(
  recalled: readonly MemoryCandidate[],
  { found, count }: Pick<Asked, 'found' | 'count'>,
): readonly MemoryCandidate[] {
  const file = found?.page?.document
  const isOfFile = ({ item: { kind, id } }: MemoryCandidate) =>
    kind === 'chunk' && readChunkId(id)?.documentId === file?.id
  if (file === undefined || recalled.some(isOfFile)) return recalled
  const beginning = beginningOfFile(found?.page, count)
  return isAboutFile(found?.answer.question.asked ?? '')
    ? [...beginning, ...recalled]
    : [...recalled, ...beginning]
}

/** A summary is visible if all of its messages are; anything else if one of them is. */
function isVisible(
  { kind, id, messageIds }: MemoryCandidate['item'],
  seen: ReadonlySet<MessageId>,
  conversationId: ConversationId | undefined,
): boolean {
  if (kind !== 'summary') return messageIds.some((message) => seen.has(message))
  if (id === conversationId) return true
  return messageIds.length > 0 && messageIds.every((message) => seen.has(message))
}

/** A note may be both new and recalled: the first counts. */
function uniqueItems(candidates: readonly MemoryCandidate[]): readonly MemoryCandidate[] {
  const known = new Set<string>()
  return candidates.filter(({ item }) => {
    const name = `${item.kind} ${item.id}`
    const isNew = !known.has(name)
    known.add(name)
    return isNew
  })
}

/** Notes made for this turn are always candidates. */
function freshNotes(notes: readonly Note[], { askedAfter }: VisibleMessages): readonly Note[] {
  return notes.filter(({ createdAt }) => askedAfter === undefined || createdAt > askedAfter)
}

function fromStanding(item: StandingItem, count: CountTokens): MemoryCandidate {
  const { kind, id, text, since, messageIds, reason } = item
  return toMemoryCandidate(
    {
      kind,
      id,
      text,
      messageIds,
      reasons: [{ text: reason }],
      canBeCut: kind === 'block',
      toLine: (said) => standingLine(item, said),
      ...definedFields({ at: since }),
    },
    count,
  )
}

function fromNote(note: Note, count: CountTokens): MemoryCandidate {
  const { id, text, createdAt, messageIds, conversationId } = note
  const line = { kind: 'note', createdAt, source: noteSource(note) } as const
  return toMemoryCandidate(
    {
      kind: 'note',
      id,
      text,
      messageIds,
      reasons: [{ text: 'noted for this turn' }],
      canBeCut: true,
      toLine: (said) => recalledLine(line, undefined, said),
      at: createdAt,
      ...definedFields({ conversationId }),
    },
    count,
  )
}

function fromRecalled(
  recalled: Recalled,
  { found, visible, count }: Pick<Asked, 'found' | 'visible' | 'count'>,
): MemoryCandidate {
  const { kind, id, text, score, why, messageIds, conversationId, createdAt, position } = recalled
  const isHere = conversationId === undefined || conversationId === visible.conversationId
  const where = isHere ? undefined : otherPlace(found?.titles.get(conversationId))
  return toMemoryCandidate(
    {
      kind,
      id,
      text,
      score,
      messageIds,
      reasons: why,
      canBeCut: kind !== 'fact',
      toLine: (said) => recalledLine(recalled, where, said),
      at: createdAt,
      ...definedFields({ conversationId, position: isHere && kind === 'message' ? position : undefined }),
    },
    count,
  )
}
