// The topics of a conversation as people see them: counts, edits by people, and how far each has faded by now.
// Fading is not stored: it follows from the time.

import type { ConversationKey, MessageId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Topic } from '../../domain/topic.ts'
import type { ResolvedTopics } from '../../options/derive-options.ts'
import type { TopicChanges } from '../../schemas/conversation.ts'
import { READER } from '../../store/derivations.ts'
import type { Edit } from '../../store/edits.ts'
import type { Store } from '../../store/store.ts'
import { learnImportance } from '../importance/learn-importance.ts'
import { readFeedback, type VerdictCounts } from '../importance/read-feedback.ts'
import { readTopicItem } from '../reading/items.ts'
import { type ArchivableTopic, chooseTopicsToArchive, topicPriority } from './fading.ts'
import { halfLifeDays, memoryType } from './half-life.ts'
import { nameTopic } from './name-topic.ts'
import type { TopicRecord } from './topic-record.ts'

/** An edit of this kind holds all changes to one topic. Its key is the topic's start. */
export const TOPIC_CHANGES = 'topic-changes'
/** … and one of this kind holds how often and when last it was recalled. */
export const TOPIC_RECALLED = 'topic-recalled'

const NO_LIMIT = 1_000_000_000

interface TopicReading {
  readonly store: Store
  readonly options: ResolvedTopics
  readonly now: Date
}

/** A topic and the data needed to show it. */
interface Found extends ArchivableTopic {
  readonly record: TopicRecord
  readonly changes: TopicChanges
  readonly givenImportance: number
  readonly importance: number
}

/** Sorted by last use, newest first. */
export async function readTopics(
  { store, options, now }: TopicReading,
  key: ConversationKey,
): Promise<readonly Topic[]> {
  const items = await store.derivedItems({ ...key, deriver: READER, kind: 'topic' })
  if (items.length === 0) return []
  const edits = await store.edits({ ...key, kinds: [TOPIC_CHANGES, TOPIC_RECALLED] })
  const [members, verdictsOf] = await Promise.all([
    readMembers(store, key),
    readFeedback(store, key.workspace),
  ])
  const found = items.map((item) => {
    const { record } = readTopicItem(item)
    const verdicts = verdictsOf({ kind: 'topic', id: members.all[record.start] ?? '' })
    return toFound(record, { edits, options, current: members.current, verdicts })
  })
  const archived = new Set(chooseTopicsToArchive(found, now, options))
  const nameOf = nameTopics(found.map(({ record }) => record))
  return found
    .sort(
      (one, other) =>
        other.lastUsedAt.getTime() - one.lastUsedAt.getTime() || other.record.start - one.record.start,
    )
    .map((topic) =>
      toTopic(topic, {
        key,
        options,
        now,
        name: nameOf(topic.record),
        isArchived: archived.has(topic),
        id: members.all[topic.record.start] as MessageId,
        messageIds: members.ids.get(topic.record.start) ?? [],
      }),
    )
}

/** A name is made different from those of this many other topics; comparing with more is not worth its cost. */
const MAX_COMPARED_TOPICS = 20

/** Names depend on all topics of a conversation, so they are made when topics are read, not when they are derived. */
function nameTopics(records: readonly TopicRecord[]): (record: TopicRecord) => string {
  return (record) => {
    const others = records.filter(({ start }) => start !== record.start).slice(-MAX_COMPARED_TOPICS)
    return (
      nameTopic(
        record.subjects,
        others.map(({ subjects }) => subjects),
      ) ?? record.title
    )
  }
}

/** The use of one topic. */
export interface TopicUse {
  /** How far it has faded by now. */
  readonly priority: number
  readonly lastUsedAt: Date
  /** How often it was recalled. */
  readonly recalls: number
  /** What was set for it, before feedback. */
  readonly givenImportance: number
}

export async function readTopicUse(
  { store, options, now }: TopicReading,
  key: ConversationKey,
  start: number,
): Promise<TopicUse | undefined> {
  const list = { ...key, deriver: READER, kind: 'topic', key: String(start) } as const
  const [[item], edits, [id = ''], verdictsOf] = await Promise.all([
    store.derivedItems(list),
    store.edits({ ...key, kinds: [TOPIC_CHANGES, TOPIC_RECALLED], key: String(start) }),
    store.messageIds({ ...key, after: start - 1, limit: 1 }),
    readFeedback(store, key.workspace),
  ])
  if (item === undefined) return undefined
  const { record } = readTopicItem(item)
  const found = toFound(record, {
    edits,
    options,
    current: undefined,
    verdicts: verdictsOf({ kind: 'topic', id }),
  })
  return {
    priority: topicPriority(found, now, options),
    givenImportance: found.givenImportance,
    lastUsedAt: found.lastUsedAt,
    recalls: found.accesses - record.accesses,
  }
}

/** Which messages belong to which topic, and the topic of the last one. */
interface Members {
  readonly all: readonly MessageId[]
  readonly ids: ReadonlyMap<number, readonly MessageId[]>
  readonly current: number | undefined
}

async function readMembers(store: Store, key: ConversationKey): Promise<Members> {
  const readings = await store.readings({ ...key, deriver: READER, limit: NO_LIMIT })
  const all = await store.messageIds({ ...key, limit: NO_LIMIT })
  const ids = new Map<number, MessageId[]>()
  for (const { position, topic } of readings) {
    const id = all[position]
    if (id === undefined) continue
    const members = ids.get(topic)
    if (members === undefined) ids.set(topic, [id])
    else members.push(id)
  }
  return { all, ids, current: readings.at(-1)?.topic }
}

function toFound(
  record: TopicRecord,
  given: {
    readonly edits: readonly Edit[]
    readonly options: ResolvedTopics
    readonly current: number | undefined
    readonly verdicts: VerdictCounts
  },
): Found {
  const find = (wanted: string) =>
    given.edits.findLast(({ kind, key }) => kind === wanted && key === String(record.start))?.body
  const changes = (find(TOPIC_CHANGES) ?? {}) as TopicChanges
  const recalled = withRecalls(record, find(TOPIC_RECALLED))
  const givenImportance = changes.importance ?? record.importance ?? given.options.importance
  return {
    record: recalled,
    changes,
    accesses: recalled.accesses,
    lastUsedAt: recalled.lastUsedAt,
    givenImportance,
    importance: learnImportance(givenImportance, given.verdicts.helpful, given.verdicts.unhelpful).importance,
    isCurrent: record.start === given.current,
    isPinned: changes.isPinned ?? false,
    isArchived: false,
  }
}

/** A recall counts as an access, and makes the messages live again. */
function withRecalls(record: TopicRecord, body: JsonObject | undefined): TopicRecord {
  if (body === undefined) return record
  const at = new Date(String(body['at']))
  const accesses = record.accesses + Number(body['times'])
  if (at <= record.lastUsedAt) return { ...record, accesses }
  return { ...record, accesses, lastUsedAt: at, isReturned: true }
}

interface Seen {
  readonly key: ConversationKey
  readonly name: string
  readonly options: ResolvedTopics
  readonly now: Date
  readonly isArchived: boolean
  readonly id: MessageId
  readonly messageIds: readonly MessageId[]
}

function toTopic(found: Found, { key, name, options, now, isArchived, id, messageIds }: Seen): Topic {
  const { record, changes, importance, isCurrent, isPinned } = found
  const compressedMessages = record.isReturned ? 0 : record.messages - record.live.length
  const since = (moment: Date) => Math.max(0, now.getTime() - moment.getTime())
  return {
    id,
    conversationId: key.conversation,
    title: changes.title ?? name,
    tags: changes.tags ?? [],
    state: toState(isCurrent, isArchived),
    isPinned,
    importance,
    priority: topicPriority(found, now, options),
    halfLifeDays: halfLifeDays(record.accesses, options),
    memoryType: memoryType(record.accesses, options),
    accessCount: record.accesses,
    totalMessages: record.messages,
    activeMessages: record.messages - compressedMessages,
    compressedMessages,
    messageIds,
    createdAt: record.firstUsedAt,
    lastUsedAt: record.lastUsedAt,
    ageMs: since(record.firstUsedAt),
    idleMs: since(record.lastUsedAt),
  }
}

function toState(isCurrent: boolean, isArchived: boolean): Topic['state'] {
  if (isCurrent) return 'current'
  return isArchived ? 'archived' : 'live'
}

/** Several turns about the same topic are one use, so that not every turn writes. */
const SAME_USE_MS = 3_600_000

/**
 * Counts a use of the topic that began at this position, unless it was used just now. Recalling a topic for a model
 * refreshes it as if somebody had mentioned it. It is stored as an edit, so that it survives rebuilds.
 */
export async function countRecall(
  counting: TopicReading,
  key: ConversationKey,
  start: number,
): Promise<void> {
  const { store, now } = counting
  const use = await readTopicUse(counting, key, start)
  if (use === undefined || now.getTime() - use.lastUsedAt.getTime() < SAME_USE_MS) return
  const edit = {
    kind: TOPIC_RECALLED,
    key: String(start),
    body: { times: use.recalls + 1, at: now.toISOString() },
    conversation: key.conversation,
  }
  await store.saveEdit(key.workspace, edit, { now, replace: true })
}
