// Sample data for the cases: messages, conversations and questions with defaults for everything a case does not care
// about.

import assert from 'node:assert/strict'
import {
  type AcceptedMessage,
  type AppendRequest,
  type AppendResult,
  type Content,
  type Conversation,
  type ConversationFields,
  type ConversationId,
  type ConversationKey,
  type ConversationList,
  conversationId,
  type DerivedKind,
  type Finding,
  type ForkRequest,
  indexableWords,
  isMemoryError,
  type MemoryErrorCode,
  type Message,
  type MessageId,
  type MessageSearch,
  messageId,
  type SearchTerm,
  type Store,
  type StoredReceipt,
  type WorkspaceId,
  workspaceId,
} from 'recollect/store'

export const HERE: WorkspaceId = workspaceId('here')
export const ELSEWHERE: WorkspaceId = workspaceId('elsewhere')

/** More than any case writes. */
const EVERYTHING = 100_000

/** A time on 1 May 2026, in minutes after noon. */
export function at(minutes: number): Date {
  return new Date(Date.UTC(2026, 4, 1, 12) + minutes * 60_000)
}

export function aKey(conversation: string, workspace: WorkspaceId = HERE): ConversationKey {
  return { workspace, conversation: conversationId(conversation) }
}

/** Token counts differ between messages, so that a sum over the wrong ones is detected. */
export function aMessage(
  id: string,
  content: Content = `the words of ${id}`,
  more: Partial<AcceptedMessage> = {},
): AcceptedMessage {
  return {
    id: messageId(id),
    role: 'user',
    content,
    createdAt: at(0),
    recordedAt: at(1),
    tokens: 3 + id.length + (typeof content === 'string' ? content.length : content.length * 10),
    tokenizer: 'sample',
    ...more,
  }
}

/** `many('a', 3)` returns a0, a1 and a2. */
export function many(prefix: string, count: number): readonly AcceptedMessage[] {
  return Array.from({ length: count }, (_, i) => aMessage(`${prefix}${i}`))
}

interface Appended extends Partial<AppendRequest> {
  readonly messages: readonly AcceptedMessage[]
}

/** Appends as `record` does: the key is on the request and on each of its messages. */
export function append(store: Store, key: ConversationKey, appended: Appended): Promise<AppendResult> {
  const { appendKey } = appended
  return store.append({
    now: at(2),
    suggestTitle: () => undefined,
    ...key,
    ...appended,
    messages: appended.messages.map((message) => ({
      ...message,
      ...(appendKey !== undefined && { appendKey }),
    })),
  })
}

export function readAll(store: Store, key: ConversationKey): Promise<readonly Message[]> {
  return store.messages({ ...key, limit: EVERYTHING })
}

export async function needMessage(store: Store, id: string, workspace: WorkspaceId = HERE): Promise<Message> {
  const message = await store.findMessage(workspace, messageId(id))
  assert.ok(message, `the message "${id}" is not there`)
  return message
}

export async function needConversation(store: Store, key: ConversationKey): Promise<Conversation> {
  const conversation = await store.findConversation(key)
  assert.ok(conversation, `the conversation "${key.conversation}" is not there`)
  return conversation
}

/** Creates a conversation without messages. */
export function create(
  store: Store,
  key: ConversationKey,
  { createdAt = at(0), ...fields }: ConversationFields & { readonly createdAt?: Date } = {},
): Promise<Conversation> {
  return store.createConversation({ ...key, fields, createdAt })
}

/** A fork named `into`, whose message ids begin with its name. */
export function fork(
  store: Store,
  key: ConversationKey,
  request: { readonly at: number; readonly into: string; readonly fields?: ConversationFields },
): Promise<Conversation> {
  let made = 0
  const full: ForkRequest = {
    fields: {},
    ...key,
    ...request,
    into: conversationId(request.into),
    now: at(5),
    newId: () => messageId(`${request.into}-${made++}`),
  }
  return store.fork(full)
}

/** Words as stored in the index: what a person types is normalized before a store sees it. */
export function aTerm(words: string, isPrefix = false): SearchTerm {
  return { words: indexableWords(words).split(' '), isPrefix }
}

/** The ids of the messages with these words, in the order found. */
export async function findIds(
  store: Store,
  words: string | readonly SearchTerm[],
  more: Partial<MessageSearch> = {},
): Promise<readonly string[]> {
  const terms = typeof words === 'string' ? [aTerm(words)] : words
  const page = await store.searchMessages({ workspace: HERE, limit: 100, ...more, terms })
  return page.items.map(({ id }) => id)
}

/** The ids of the listed conversations, in order. */
export async function listIds(
  store: Store,
  list: Partial<ConversationList> = {},
): Promise<readonly string[]> {
  const page = await store.listConversations({ workspace: HERE, archived: 'without', limit: 100, ...list })
  return page.items.map(({ id }) => id)
}

export function aReceipt(id: string, conversation: ConversationId): StoredReceipt {
  return {
    id,
    conversationId: conversation,
    createdAt: at(3),
    messageCount: 4,
    budgetTokens: 800,
    tokens: 321,
    tokenizer: 'sample',
    parts: [
      { section: 'system', tokens: 21, reason: 'always sent', runs: [[0, 0]] },
      { section: 'tail', tokens: 300, reason: 'the newest that fit', runs: [[2, 3]] },
    ],
    omitted: [{ tokens: 50, reason: 'over the budget', runs: [[1, 1]] }],
    repairs: [
      { repair: 'roles were put in turn' },
      { messageId: messageId('m2'), repair: 'a result was missing' },
    ],
    sharedPrefix: { messages: 1, tokens: 21, brokenBecause: 'the tail moved on' },
    fingerprint: {
      system: 'aa',
      tools: 'bb',
      budgetTokens: 800,
      tailFrom: 2,
      messages: 3,
      messageTokens: 300,
      digest: 'cc',
    },
  }
}

export async function rejectsWith(code: MemoryErrorCode, promise: Promise<unknown>): Promise<void> {
  await assert.rejects(promise, (error: unknown) => {
    assert.ok(isMemoryError(error), `not a MemoryError: ${String(error)}`)
    assert.equal(error.code, code)
    return true
  })
}

/** The problems that `check` reports. */
export async function findProblems(store: Store): Promise<readonly Finding[]> {
  const findings = await store.check()
  assert.ok(findings.length > 0, 'nothing was checked')
  return findings.filter(({ problem }) => problem !== undefined)
}

const KINDS: readonly DerivedKind[] = ['topic', 'summary', 'statement', 'entity']

/** Everything that can be read of a workspace, to detect changes. */
export async function readWorkspace(store: Store, workspace: WorkspaceId = HERE): Promise<unknown> {
  const { items } = await store.listConversations({ workspace, archived: 'with', limit: EVERYTHING })
  const keys = items.map(({ id }) => ({ workspace, conversation: id }))
  const { storageBytes: _, ...counts } = await store.statistics(workspace)
  return {
    conversations: items,
    messages: await Promise.all(keys.map((key) => readAll(store, key))),
    receipts: await Promise.all(keys.map((key) => store.receipts(key, EVERYTHING))),
    readings: await Promise.all(
      keys.map((key) => store.readings({ ...key, deriver: 'reader', limit: EVERYTHING, withVectors: true })),
    ),
    items: await Promise.all(
      KINDS.map((kind) => store.derivedItems({ workspace, deriver: 'reader', kind, withVectors: true })),
    ),
    jobs: await store.jobs({ workspace, limit: EVERYTHING }),
    edits: await store.edits({ workspace }),
    counts,
  }
}

export const toIds = (messages: readonly { readonly id: MessageId }[]): readonly string[] =>
  messages.map(({ id }) => id)

export const toPositions = (messages: readonly Message[]): readonly number[] =>
  messages.map(({ position }) => position)

/** 0, 1, 2 … */
export const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i)
