import type { ContextMessage } from '../domain/context-message.ts'
import { definedFields } from '../domain/defined-fields.ts'
import { isMemoryError, MemoryError } from '../domain/errors.ts'
import { type MessageId, newId, pageId } from '../domain/ids.ts'
import type { Note } from '../domain/note.ts'
import type { RecallAnswer, Recalled, RecallOptions } from '../domain/recall.ts'
import type { Receipt, StoredReceipt } from '../domain/receipt.ts'
import type { Paginated } from '../domain/search.ts'
import type { SummaryBefore } from '../domain/topic.ts'
import type { Tokenizer } from '../model/tokenizer.ts'
import type { ResolvedContext } from '../options/context-options.ts'
import type { ConversationKey, Store } from '../store/store.ts'
import { acceptRequest, type ContextOptions } from './accept-request.ts'
import { finishContext } from './build-context.ts'
import { type History, loadBeginning, loadHistory } from './load-history.ts'
import type { ContextMaterial, Found, MemoryMaterial } from './material.ts'
import { sightOf } from './memory/remember.ts'
import type { StandingMemory } from './memory/standing.ts'
import { isRecorded, type Plan, planContext } from './plan-context.ts'
import { fromStored, toStored } from './receipt.ts'

export interface Context {
  readonly messages: readonly ContextMessage[]
  readonly receipt: Receipt
  /** False if the disk is full or the option `context.maxReceipts` is 0. */
  readonly receiptSaved: Promise<boolean>
  readonly injected: InjectedMemory
}

/** What memory put into the messages, for those who put it into messages of their own. */
export interface InjectedMemory {
  /** At the start of the first message of the user: what stands, and the summary. */
  readonly prefix?: string
  /** At the start of the last one: what was recalled for it. */
  readonly inline?: string
}

/** What is remembered beside the conversation itself, of one workspace. */
export interface ContextSources {
  /** What is known of these people, whatever is asked. */
  standing(subjects: readonly string[]): Promise<StandingMemory>
  earlierSummaries(key: ConversationKey): Promise<SummaryBefore>
  /** Notes of a conversation, newest first. */
  notes(key: ConversationKey): Promise<readonly Note[]>
  recall(question: string, request: RecallOptions): Promise<RecallAnswer>
  /** Notes that these were used: their topics come back. */
  countUse(items: readonly Recalled[]): Promise<void>
}

/** What a context may take. */
export interface ContextLimits extends ResolvedContext {
  readonly summaryTokens: number
  readonly memoryTokens: number
  readonly finalChunks: number
}

/** What making contexts needs. */
export interface ContextDeps {
  readonly store: Store
  readonly options: ContextLimits
  readonly sources: ContextSources
  readonly loadTokenizer: () => Promise<Tokenizer>
  readonly now: () => Date
}

/** A context with what recall answered, for those who tell of it. */
export interface ContextWithRecall extends Context {
  /** Missing where nothing was asked of it. */
  readonly answer?: RecallAnswer
}

/** What only a turn asks for. */
export interface TurnRequest extends ContextOptions {
  readonly signal?: AbortSignal
}

/** Makes the context for a turn and keeps its receipt. */
export async function buildContext(
  maker: ContextDeps,
  key: ConversationKey,
  request: ContextOptions,
): Promise<Context> {
  const { answer: _, ...context } = await buildContextWithRecall(maker, key, request)
  return context
}

/** The same, with all that was found for it. */
export async function buildContextWithRecall(
  maker: ContextDeps,
  key: ConversationKey,
  request: TurnRequest,
): Promise<ContextWithRecall> {
  const { messageCount, ...material } = await loadMaterial(maker, key, request)
  const plan = planContext(material)
  const found = await find(maker, key, { plan, ...request })
  const { messages, receipt, fingerprint, injected } = finishContext(plan, found)
  const now = maker.now()
  const turn = {
    id: newId(now),
    conversationId: key.conversation,
    createdAt: now,
    messageCount,
  }
  const whole: Receipt = { ...turn, ...receipt }
  const keeping = keepReceipt(maker, key, {
    stored: toStored(whole, fingerprint),
    used: usedOf(found, whole),
  })
  if (request.receipt === 'background') keeping.catch(() => undefined)
  else await keeping
  return {
    messages,
    receipt: whole,
    receiptSaved: keeping,
    injected,
    ...definedFields({ answer: found?.answer }),
  }
}

/** What of the answer went into the context. */
function usedOf(found: Found | undefined, { parts }: Receipt): readonly Recalled[] {
  const sent = new Set(parts.flatMap(({ items = [] }) => items.map(({ kind, id }) => `${kind}:${id}`)))
  return found?.answer.items.filter(({ kind, id }) => sent.has(`${kind}:${id}`)) ?? []
}

async function loadMaterial(
  maker: ContextDeps,
  key: ConversationKey,
  request: TurnRequest,
): Promise<ContextMaterial & Pick<History, 'messageCount'>> {
  const { store, options } = maker
  const { budgetTokens, memoryTokens } = acceptRequest(request, options)
  const [tokenizer, { history, left, messageCount }, systemMessages, [previous], conversation] =
    await Promise.all([
      maker.loadTokenizer(),
      loadHistory(store, key, {
        tokens: budgetTokens,
        ...definedFields({ before: request.before, after: request.after }),
      }),
      store.systemMessages(key),
      store.receipts(key, 1),
      store.findConversation(key),
    ])
  const base = {
    messageCount,
    history,
    left,
    systemMessages,
    ...definedFields({ query: request.query, system: request.system }),
    tools: request.tools ?? [],
    budgetTokens,
    stepTokens: Math.floor(budgetTokens * options.tailStep),
    counter: { tokenizer: tokenizer.name, count: (text: string) => tokenizer.count(text) },
    ...(previous !== undefined && { previous: { ...previous.fingerprint, receiptId: previous.id } }),
  }
  const isOn = (request.memory ?? true) && (conversation?.isMemoryOn ?? true)
  if (!isOn) return base
  return { ...base, memory: await loadMemory(maker, key, { history, left, memoryTokens }) }
}

async function loadMemory(
  { store, options, sources }: ContextDeps,
  key: ConversationKey,
  { history, left, memoryTokens }: Pick<History, 'history' | 'left'> & { readonly memoryTokens: number },
): Promise<MemoryMaterial> {
  const [standing, summaryBefore, notes, beginning] = await Promise.all([
    sources.standing(speakersOf(history)),
    sources.earlierSummaries(key),
    sources.notes(key),
    loadBeginning(store, key, { history, left, turns: options.firstTurns }),
  ])
  return { limits: { ...options, memoryTokens }, standing, summaryBefore, notes, beginning }
}

/** The user, and whoever speaks as one under a name. Those who are read change seldom, so the front does. */
function speakersOf(history: ContextMaterial['history']): readonly string[] {
  const names = history.flatMap(({ role, name }) => (role === 'user' && name !== undefined ? [name] : []))
  return [...new Set(['user', ...names])]
}

/** More than can come in: some are in sight, and of some kinds only a few are wanted. */
const CANDIDATES = 24

/** What is in sight, and what stood in the place of something that is. */
function namesInSight(plan: Plan): readonly MessageId[] {
  const seen = sightOf(plan, plan.cut).messages.filter(isRecorded)
  return [...seen, ...(plan.material.left ?? []).map(({ message }) => message)].map(({ id }) => id)
}

/** What is to be said anew is a few turns at most. */
const UNSAID = 200

/** What recall finds for the question, beyond what is in sight. */
async function find(
  maker: ContextDeps,
  key: ConversationKey,
  { plan, before, signal }: { readonly plan: Plan } & Pick<TurnRequest, 'before' | 'signal'>,
): Promise<Found | undefined> {
  const { store, sources } = maker
  if (plan.question === undefined || plan.shares.memoryTokens === 0) return undefined
  const page = await store.findPage({ workspace: key.workspace, page: pageId(key.conversation) })
  const unsaid =
    before === undefined ? [] : await store.messageIds({ ...key, after: before - 1, limit: UNSAID })
  const answer = await sources.recall(plan.question, {
    limit: CANDIDATES,
    currentConversationId: key.conversation,
    excludeMessageIds: [...namesInSight(plan), ...unsaid],
    ...definedFields({ activeFile: page?.activeFile?.id, signal }),
  })
  return { answer, titles: await readTitles(store, key, answer) }
}

async function readTitles(
  store: Store,
  key: ConversationKey,
  { items }: RecallAnswer,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(items.flatMap(({ conversationId }) => conversationId ?? []))
  ids.delete(key.conversation)
  const found = await Promise.all(
    [...ids].map((conversation) => store.findConversation({ ...key, conversation })),
  )
  return new Map(found.flatMap((one) => (one?.title === undefined ? [] : [[one.id, one.title]])))
}

/** A full disk must not keep a chat from going on: reading needs no room, only the receipt does. */
async function keepReceipt(
  { store, options, sources }: ContextDeps,
  key: ConversationKey,
  { stored, used }: { readonly stored: StoredReceipt; readonly used: readonly Recalled[] },
): Promise<boolean> {
  if (options.maxReceipts === 0) return false
  try {
    if (stored.messageCount === 0) {
      await store.createConversation({ ...key, fields: {}, createdAt: stored.createdAt })
    }
    await store.saveReceipt(key.workspace, stored, options.maxReceipts)
    await sources.countUse(used)
    return true
  } catch (error) {
    if (isMemoryError(error) && error.code === 'store-full') return false
    throw error
  }
}

/** A page of the receipts of a conversation, newest first. The cursor is the id of the last one before it. */
export async function readReceipts(
  maker: ContextDeps,
  key: ConversationKey,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string },
): Promise<Paginated<Receipt>> {
  const { store, options } = maker
  const stored = await store.receipts(
    key,
    cursor === undefined ? limit + 1 : Math.max(1, options.maxReceipts),
  )
  const start = cursor === undefined ? 0 : stored.findIndex(({ id }) => id === cursor) + 1
  if (cursor !== undefined && start === 0)
    throw new MemoryError('invalid-input', 'invalid cursor', { hint: 'start again without a cursor' })
  const page = stored.slice(start, start + limit)
  const items = await Promise.all(page.map((receipt) => completeReceipt(maker, key, receipt)))
  const last = items.at(-1)
  return start + limit < stored.length && last !== undefined ? { items, next: last.id } : { items }
}

/** One of those that are kept; they are few, and are looked through. */
export async function findReceipt(
  maker: ContextDeps,
  key: ConversationKey,
  id: string,
): Promise<Receipt | undefined> {
  const kept = await maker.store.receipts(key, Math.max(1, maker.options.maxReceipts))
  const stored = kept.find((receipt) => receipt.id === id)
  return stored && completeReceipt(maker, key, stored)
}

function completeReceipt(
  { store }: ContextDeps,
  key: ConversationKey,
  stored: StoredReceipt,
): Promise<Receipt> {
  return fromStored(stored, {
    readIds: ([from, to]) =>
      store.messageIds({ ...key, after: from - 1, before: to + 1, limit: to - from + 1 }),
    findConversation: async (id: MessageId) => (await store.findMessage(key.workspace, id))?.conversationId,
  })
}
