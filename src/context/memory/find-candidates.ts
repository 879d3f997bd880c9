// Everything that may come into a context beside its turns. What the model sees anyway is left out here: turns
// that are sent, and facts that were first told in them.

import { definedFields } from '../../domain/defined-fields.ts'
import type { ConversationId, MessageId } from '../../domain/ids.ts'
import type { Message } from '../../domain/message.ts'
import type { Note } from '../../domain/note.ts'
import type { Recalled } from '../../domain/recall.ts'
import type { CountTokens } from '../../domain/tokens.ts'
import type { Found, MemoryMaterial } from '../material.ts'
import { type Candidate, type Dropped, toCandidate } from './candidate.ts'
import type { StandingItem, StandingMemory } from './standing.ts'
import { noteSource, otherPlace, recalledLine, standingLine } from './to-lines.ts'

/** What the model sees of the conversation. */
export interface Sight {
  readonly conversationId: ConversationId | undefined
  readonly messages: readonly Message[]
  /** The time of the last message before the live turn: what was noted since was noted for it. */
  readonly askedAfter: Date | undefined
}

export interface Candidates {
  readonly standing: Readonly<Record<keyof StandingMemory, readonly Candidate[]>>
  /** For the question, best first. */
  readonly beside: readonly Candidate[]
  readonly excludeMessageIds: readonly Dropped[]
}

interface Asked extends Pick<MemoryMaterial, 'standing' | 'notes'> {
  readonly found: Found | undefined
  readonly sight: Sight
  readonly count: CountTokens
}

export function findCandidates({ standing, notes, found, sight, count }: Asked): Candidates {
  const seen = new Set(sight.messages.map(({ id }) => id))
  const { wishes, pinned, facts, preferences } = standing
  // By the first who told it: a fact that is told again does not change what stands in front.
  const unseen = (items: readonly StandingItem[]) =>
    items.filter(({ messageIds: [first] }) => first === undefined || !seen.has(first))
  const toStanding = (items: readonly StandingItem[]) => items.map((item) => fromStanding(item, count))
  const recalled = (found?.answer.items ?? []).map((item) => fromRecalled(item, { found, sight, count }))
  const isSeen = ({ item }: Candidate) => isInSight(item, seen, sight.conversationId)
  const fresh = freshNotes(notes, sight).map((note) => fromNote(note, count))
  const all = dropTwice([...fresh, ...recalled])
  return {
    standing: {
      wishes: toStanding(unseen(wishes)),
      pinned: toStanding(pinned),
      facts: toStanding(unseen(facts)),
      preferences: toStanding(unseen(preferences)),
    },
    beside: all.filter((candidate) => !isSeen(candidate)),
    excludeMessageIds: all.filter(isSeen).map((candidate) => ({ candidate, reason: 'already in sight' })),
  }
}

/** A summary is seen when all of it is; anything else when one of its messages is. */
function isInSight(
  { kind, id, messageIds }: Candidate['item'],
  seen: ReadonlySet<MessageId>,
  conversationId: ConversationId | undefined,
): boolean {
  if (kind !== 'summary') return messageIds.some((message) => seen.has(message))
  if (id === conversationId) return true
  return messageIds.length > 0 && messageIds.every((message) => seen.has(message))
}

/** A note may be fresh and recalled as well: the first counts. */
function dropTwice(candidates: readonly Candidate[]): readonly Candidate[] {
  const known = new Set<string>()
  return candidates.filter(({ item }) => {
    const name = `${item.kind} ${item.id}`
    const isNew = !known.has(name)
    known.add(name)
    return isNew
  })
}

/** Found for this very turn, whatever recall thinks of it. */
function freshNotes(notes: readonly Note[], { askedAfter }: Sight): readonly Note[] {
  return notes.filter(({ createdAt }) => askedAfter === undefined || createdAt > askedAfter)
}

function fromStanding(item: StandingItem, count: CountTokens): Candidate {
  const { kind, id, text, since, messageIds, reason } = item
  return toCandidate(
    {
      kind,
      id,
      text,
      messageIds,
      reasons: [{ text: reason }],
      canBeCut: false,
      toLine: (said) => standingLine(item, said),
      ...definedFields({ at: since }),
    },
    count,
  )
}

function fromNote(note: Note, count: CountTokens): Candidate {
  const { id, text, createdAt, messageIds, conversationId } = note
  const line = { kind: 'note', createdAt, source: noteSource(note) } as const
  return toCandidate(
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
  { found, sight, count }: Pick<Asked, 'found' | 'sight' | 'count'>,
): Candidate {
  const { kind, id, text, score, why, messageIds, conversationId, createdAt, position } = recalled
  const isHere = conversationId === undefined || conversationId === sight.conversationId
  const where = isHere ? undefined : otherPlace(found?.titles.get(conversationId))
  return toCandidate(
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
