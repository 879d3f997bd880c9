// The scope of a request: conversations, topics, a span of time, and what was known at a moment.

import { definedFields } from '../domain/defined-fields.ts'
import type { Fact } from '../domain/fact.ts'
import type { ConversationId } from '../domain/ids.ts'
import { conversationNumberOf, type MessageLocator, toLocator } from '../domain/locator.ts'
import type { MessageMeta, RecallStore, TimedScope } from '../store/recall-store.ts'
import type { AcceptedRecall } from './accepted-recall.ts'
import type { ScoredItem } from './scored-item.ts'

/** A request with its topics resolved. */
export interface Scoped extends AcceptedRecall {
  /** The messages that began the topics. */
  readonly topicPlaces?: ReadonlySet<MessageLocator>
}

/** Limits the scope to the conversations of the topics. */
export async function withTopics(store: RecallStore, request: AcceptedRecall): Promise<Scoped> {
  const { workspace, topics, conversations } = request
  if (topics === undefined) return request
  const heads = await store.getMessageMeta(workspace, await store.locate(workspace, topics))
  const inTopics = [...new Set(heads.map(({ conversationId }) => conversationId))]
  return {
    ...request,
    conversations: inTopics.filter((id) => conversations?.includes(id) ?? true),
    topicPlaces: new Set(heads.map(({ locator }) => locator)),
  }
}

export function scopeOf({ workspace, conversations, from, to, asOf }: Scoped): TimedScope {
  // Inclusive: what was said at that moment was known.
  const known = asOf && new Date(asOf.getTime() + 1)
  return { workspace, ...definedFields({ conversations, from, to: earlier(to, known) }) }
}

/** The part of a scope within a span. */
export function scopeWithin(scope: TimedScope, start: Date, end: Date): TimedScope {
  const from = scope.from !== undefined && scope.from > start ? scope.from : start
  return { ...scope, from, ...definedFields({ to: earlier(scope.to, end) }) }
}

function earlier(one: Date | undefined, other: Date | undefined): Date | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return one < other ? one : other
}

const isSaidWithin = ({ from, to, asOf }: Scoped, moment: Date): boolean =>
  (from === undefined || moment >= from) &&
  (to === undefined || moment < to) &&
  (asOf === undefined || moment <= asOf)

const isOfTopics = ({ topicPlaces }: Scoped, { locator, topic }: MessageMeta): boolean =>
  topicPlaces === undefined ||
  (topic !== undefined && topicPlaces.has(toLocator(conversationNumberOf(locator), topic)))

export function wantsMessage(request: Scoped): (head: MessageMeta) => boolean {
  return (head) =>
    isSaidWithin(request, head.createdAt) &&
    (request.conversations?.includes(head.conversationId) ?? true) &&
    isOfTopics(request, head)
}

/** Instructions and statements are recalled as the messages that gave them, not as facts. */
export function wantsFact({ conversations, kinds }: Scoped): (fact: Fact) => boolean {
  return ({ kind, conversationIds, origin }) => {
    const isQuote = kind === 'instruction' || kind === 'statement'
    if (isQuote && kinds.has('message') && origin === 'said') return false
    return (
      conversations === undefined ||
      origin === 'given' ||
      conversationIds.some((id) => conversations.includes(id))
    )
  }
}

/** Facts as known at `asOf`, without the sources that came later. */
export async function factsKnownThen(
  store: RecallStore,
  { workspace, asOf }: Scoped,
  facts: readonly Fact[],
): Promise<readonly Fact[]> {
  if (asOf === undefined) return facts
  const isLater = ({ saidAt }: Fact) => saidAt > asOf
  const ids = facts.filter(isLater).flatMap(({ sources }) => sources)
  const heads = await store.getMessageMeta(workspace, await store.locate(workspace, ids))
  const saidThen = new Map(heads.filter(({ createdAt }) => createdAt <= asOf).map((head) => [head.id, head]))
  return facts.flatMap((fact) => {
    if (!isLater(fact)) return [fact]
    const sources = fact.sources.filter((id) => saidThen.has(id))
    const last = sources.at(-1)
    const saidAt = last && saidThen.get(last)?.createdAt
    return saidAt === undefined ? [] : [{ ...fact, sources, saidAt }]
  })
}

export interface OtherScope {
  readonly store: RecallStore
  /** Whether the memory of a conversation is on. Memoized. */
  readonly isRemembered: (conversation: ConversationId) => Promise<boolean>
}

/** Keeps the items (other than messages) that are in scope. */
export async function keepWanted(
  parts: OtherScope,
  request: Scoped,
  found: readonly ScoredItem[],
): Promise<readonly ScoredItem[]> {
  const then = found.filter(({ createdAt }) => isSaidWithin(request, createdAt))
  return keepRemembered(parts, request, await keepOfTopics(parts.store, request, then))
}

/** Keeps items from messages of the topics. A summary covers other topics too, so it is dropped. */
async function keepOfTopics(
  store: RecallStore,
  request: Scoped,
  found: readonly ScoredItem[],
): Promise<readonly ScoredItem[]> {
  const { workspace, topicPlaces } = request
  if (topicPlaces === undefined) return found
  const ids = new Set(found.flatMap(({ messageIds }) => messageIds))
  const heads = await store.getMessageMeta(workspace, await store.locate(workspace, [...ids]))
  const wanted = new Set(heads.filter((head) => isOfTopics(request, head)).map(({ id }) => id))
  return found.filter(({ kind, messageIds }) => kind !== 'summary' && messageIds.some((id) => wanted.has(id)))
}

/** Drops items of other conversations whose memory is off. */
async function keepRemembered(
  parts: OtherScope,
  request: Scoped,
  found: readonly ScoredItem[],
): Promise<readonly ScoredItem[]> {
  const off = await findTurnedOff(
    parts,
    request,
    found.map(({ conversationId }) => conversationId),
  )
  return found.filter(({ conversationId: id }) => id === undefined || !off.has(id))
}

/** The conversations whose memory is off, except the current one. */
export async function findTurnedOff(
  { isRemembered }: OtherScope,
  { conversations, currentConversationId }: Scoped,
  ids: readonly (ConversationId | undefined)[],
): Promise<ReadonlySet<ConversationId>> {
  if (conversations !== undefined) return new Set()
  const others = [...new Set(ids)].filter(
    (id) => id !== undefined && id !== currentConversationId,
  ) as ConversationId[]
  const known = await Promise.all(others.map(async (id) => [id, await isRemembered(id)] as const))
  return new Set(known.filter(([, isOn]) => !isOn).map(([id]) => id))
}
