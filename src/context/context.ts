import type { z } from 'zod'
import { definedFields } from '../domain/defined-fields.ts'
import { isMemoryError } from '../domain/errors.ts'
import { type ConversationId, type MessageId, newId, type PageId, pageId } from '../domain/ids.ts'
import type { ContextMessage } from '../domain/message.ts'
import type { Note } from '../domain/note.ts'
import type { RecallAnswer, Recalled } from '../domain/recall.ts'
import type { Receipt, StoredReceipt } from '../domain/receipt.ts'
import type { Scope } from '../domain/scope.ts'
import type { CountTokens } from '../domain/tokens.ts'
import type { SummaryBefore } from '../domain/topic.ts'
import type { Tokenizer } from '../model/models.ts'
import { type ResolvedContext, usableTokens } from '../options/context-options.ts'
import { type ContextOptions, contextTurn } from '../schemas/chat.ts'
import { check } from '../schemas/check.ts'
import type { RecallOptions } from '../schemas/recall.ts'
import type { Input } from '../schemas/values.ts'
import type { ConversationKey, Store } from '../store/store.ts'
import { finishContext } from './build-context.ts'
import { type History, loadBeginning, loadHistory } from './load-history.ts'
import type { ContextMaterial, ContextPage, MemoryMaterial, PageMaterial, RecallResult } from './material.ts'
import { visibleMessages } from './memory/remember.ts'
import type { StandingMemory } from './memory/standing.ts'
import { isRecorded, type Plan, planContext } from './plan-context.ts'
import { toStored } from './receipt.ts'
import { type ChosenScope, chooseScope, type RecallWithin, toReceiptScope, toWithin } from './scope.ts'

export interface Context {
  readonly messages: readonly ContextMessage[]
  readonly receipt: Receipt
  /** False if the disk is full or the option `context.maxReceipts` is 0. */
  readonly receiptSaved: Promise<boolean>
  readonly injected: InjectedMemory
}

/** The memory texts inside the messages, for callers that add them to their own messages. */
export interface InjectedMemory {
  /** At the start of the first user message: standing memory and the summary. */
  readonly prefix?: string
  /** At the start of the last user message: what was recalled for it. */
  readonly inline?: string
}

export interface AskedIn {
  readonly text: string
  readonly conversation: ConversationId
  readonly signal?: AbortSignal
}

/** What a context needs from the other steps, for one workspace. */
export interface ContextSources {
  /** Instructions, preferences and facts about these people, whatever the question; and the scope of the workspace. */
  standing(subjects: readonly string[]): Promise<{ readonly memory: StandingMemory; readonly scope?: Scope }>
  page(id: PageId): Promise<ContextPage | undefined>
  /** What the page adds to the context of a question. */
  pageMaterial(page: ContextPage, question: string): Promise<PageMaterial>
  /** Remembers that a conversation is held on a page. */
  joinPage(place: { readonly page: PageId; readonly conversation: ConversationId }): Promise<void>
  earlierSummaries(key: ConversationKey): Promise<SummaryBefore>
  /** Notes of a conversation, newest first. */
  notes(key: ConversationKey): Promise<readonly Note[]>
  /** The question, rewritten if it is a follow-up. */
  standAlone(asked: AskedIn): Promise<string>
  recall(question: string, request: RecallOptions): Promise<RecallAnswer>
  /** Counts these items as used, which refreshes their topics. */
  countUse(items: readonly Recalled[]): Promise<void>
}

export interface ContextLimits extends ResolvedContext {
  readonly summaryTokens: number
  readonly memoryTokens: number
  readonly finalChunks: number
}

export interface ContextDeps {
  readonly store: Store
  readonly options: ContextLimits
  readonly sources: ContextSources
  readonly loadTokenizer: () => Promise<Tokenizer>
  readonly now: () => Date
}

/** A context with the answer of recall. */
export interface ContextWithRecall extends Context {
  /** Missing if nothing was recalled. */
  readonly answer?: RecallAnswer
  /** Where memory was looked for; missing if memory is off. */
  readonly within?: RecallWithin
  /** How long recall took; missing if nothing was recalled. */
  readonly recallMs?: number
}

export interface TurnRequest extends ContextOptions {
  readonly signal?: AbortSignal
}

/** Builds the context for a turn and stores its receipt. */
export async function buildContextWithRecall(
  deps: ContextDeps,
  key: ConversationKey,
  request: TurnRequest,
): Promise<ContextWithRecall> {
  const { messageCount, where, ...material } = await loadMaterial(deps, key, request)
  const plan = planContext(material)
  const { found, isWidened, recallMs } = await find(deps, key, { plan, where, ...request })
  const { messages, receipt, fingerprint, injected } = finishContext(plan, found)
  const now = deps.now()
  const turn = { id: newId(now), conversationId: key.conversation, createdAt: now, messageCount }
  const scope = where && toReceiptScope(where.chosen, { isWidened })
  const whole: Receipt = { ...turn, ...receipt, ...definedFields({ scope }) }
  const keeping = keepReceipt(deps, key, {
    stored: toStored(whole, fingerprint),
    used: usedOf(found, whole),
    ...definedFields({ page: request.pageId }),
  })
  if (request.receipt === 'background') keeping.catch(() => undefined)
  else await keeping
  return {
    messages,
    receipt: whole,
    receiptSaved: keeping,
    injected,
    ...definedFields({
      answer: found?.answer,
      recallMs,
      within: where && (isWidened ? { ...where.within, scope: 'workspace' as const } : where.within),
    }),
  }
}

/** Where to look, as chosen and as options of recall. */
interface Where {
  readonly chosen: ChosenScope
  readonly within: RecallWithin
  readonly page?: ContextPage
}

/** The recalled items that are in the context. */
function usedOf(found: RecallResult | undefined, { parts }: Receipt): readonly Recalled[] {
  const sent = new Set(parts.flatMap(({ items = [] }) => items.map(({ kind, id }) => `${kind}:${id}`)))
  return found?.answer.items.filter(({ kind, id }) => sent.has(`${kind}:${id}`)) ?? []
}

async function loadMaterial(
  deps: ContextDeps,
  key: ConversationKey,
  request: TurnRequest,
): Promise<ContextMaterial & Pick<History, 'messageCount'> & { readonly where?: Where }> {
  const { store, options, sources } = deps
  const { budgetTokens, memoryTokens } = acceptRequest(request, options)
  const [tokenizer, { history, left, messageCount }, systemMessages, [previous], conversation, page] =
    await Promise.all([
      deps.loadTokenizer(),
      loadHistory(store, key, {
        tokens: budgetTokens,
        ...definedFields({ before: request.before, after: request.after }),
      }),
      store.systemMessages(key),
      store.receipts(key, 1),
      store.findConversation(key),
      sources.page(pageId(request.pageId ?? key.conversation)),
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
    counter: { tokenizer: tokenizer.name, count: memoized((text) => tokenizer.count(text)) },
    ...(previous !== undefined && { previous: { ...previous.fingerprint, receiptId: previous.id } }),
  }
  const isOn = (request.memory ?? true) && (conversation?.isMemoryOn ?? true)
  if (!isOn) return base
  const { scope: ofWorkspace, ...memory } = await loadMemory(deps, key, { history, left, memoryTokens })
  const chosen = chooseScope({ request, conversation, page, ofWorkspace })
  const within = toWithin(chosen, { id: key.conversation, page, request })
  return { ...base, memory, where: { chosen, within, ...definedFields({ page }) } }
}

/** Memory is chosen again when the tail is known, which counts the same lines. */
function memoized(count: CountTokens): CountTokens {
  const known = new Map<string, number>()
  return (text) => {
    const tokens = known.get(text) ?? count(text)
    known.set(text, tokens)
    return tokens
  }
}

async function loadMemory(
  { store, options, sources }: ContextDeps,
  key: ConversationKey,
  { history, left, memoryTokens }: Pick<History, 'history' | 'left'> & { readonly memoryTokens: number },
): Promise<MemoryMaterial & { readonly scope: Scope | undefined }> {
  const [{ memory: standing, scope }, summaryBefore, notes, beginning] = await Promise.all([
    sources.standing(speakersOf(history)),
    sources.earlierSummaries(key),
    sources.notes(key),
    loadBeginning(store, key, { history, left, turns: options.firstTurns }),
  ])
  return { limits: { ...options, memoryTokens }, standing, summaryBefore, notes, beginning, scope }
}

/** The user, and named speakers with the role of user. */
function speakersOf(history: ContextMaterial['history']): readonly string[] {
  const names = history.flatMap(({ role, name }) => (role === 'user' && name !== undefined ? [name] : []))
  return [...new Set(['user', ...names])]
}

/** More than fit, because some are already visible and some kinds have low limits. */
const MAX_CANDIDATES = 24

/** The messages that are sent, and those that were replaced. */
function visibleIds(plan: Plan): readonly MessageId[] {
  const seen = visibleMessages(plan, plan.cut).messages.filter(isRecorded)
  return [...seen, ...(plan.material.left ?? []).map(({ message }) => message)].map(({ id }) => id)
}

/** A regenerated part is a few turns at most. */
const MAX_REPLACED_MESSAGES = 200

interface Found {
  readonly found: RecallResult | undefined
  readonly isWidened: boolean
  readonly recallMs?: number
}

interface Finding extends Pick<TurnRequest, 'before' | 'signal'> {
  readonly plan: Plan
  readonly where: Where | undefined
}

/** Recalls what is not already visible, and goes beyond the scope if nothing is found in it and that is allowed. */
async function find(
  { store, sources }: ContextDeps,
  key: ConversationKey,
  { plan, where, before, signal }: Finding,
): Promise<Found> {
  const { question } = plan
  if (question === undefined || where === undefined || plan.shares.memoryTokens === 0)
    return { found: undefined, isWidened: false }
  const replaced =
    before === undefined
      ? []
      : await store.messageIds({ ...key, after: before - 1, limit: MAX_REPLACED_MESSAGES })
  const recall = (within: RecallWithin) =>
    sources.recall(question, {
      ...within,
      limit: MAX_CANDIDATES,
      excludeMessageIds: [...visibleIds(plan), ...replaced],
      ...definedFields({ signal }),
    })
  const started = performance.now()
  const [own, page] = await Promise.all([
    recall(where.within),
    where.page && readPage(sources, where.page, { text: question, ...key, ...definedFields({ signal }) }),
  ])
  const isWidened = where.chosen.mayWiden && own.items.length === 0
  const answer = isWidened ? await recall({ ...where.within, scope: 'workspace' }) : own
  const recallMs = performance.now() - started
  const titles = await readTitles(store, key, answer)
  return { found: { answer, titles, ...definedFields({ page }) }, isWidened, recallMs }
}

async function readPage(sources: ContextSources, page: ContextPage, asked: AskedIn): Promise<PageMaterial> {
  return sources.pageMaterial(page, await sources.standAlone(asked))
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

interface Keeping {
  readonly stored: StoredReceipt
  readonly used: readonly Recalled[]
  /** The page on which the question was asked. */
  readonly page?: string
}

/** A full disk must not stop a chat: only the receipt needs space. */
async function keepReceipt(
  { store, options, sources }: ContextDeps,
  key: ConversationKey,
  { stored, used, page }: Keeping,
): Promise<boolean> {
  if (options.maxReceipts === 0) return false
  try {
    if (stored.messageCount === 0) {
      await store.createConversation({ ...key, fields: {}, createdAt: stored.createdAt })
    }
    await store.saveReceipt(key.workspace, stored, options.maxReceipts)
    await sources.countUse(used)
    if (page !== undefined) await sources.joinPage({ page: pageId(page), conversation: key.conversation })
    return true
  } catch (error) {
    if (isMemoryError(error) && error.code === 'store-full') return false
    throw error
  }
}

function acceptRequest(
  request: Input<typeof contextTurn>,
  options: ResolvedContext & { readonly memoryTokens: number },
): z.output<typeof contextTurn> & { readonly budgetTokens: number; readonly memoryTokens: number } {
  const checked = check(contextTurn, request)
  const { budgetTokens = usableTokens(checked.window ?? options.window) } = checked
  return { ...checked, budgetTokens, memoryTokens: checked.memoryTokens ?? options.memoryTokens }
}
