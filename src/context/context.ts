import type { ContextMessage } from '../domain/context-message.ts'
import { newId } from '../domain/ids.ts'
import type { Receipt, StoredReceipt } from '../domain/receipt.ts'
import { isMemoryError, MemoryError } from '../errors.ts'
import { given } from '../given.ts'
import type { Tokenizer } from '../model/tokenizer.ts'
import { type ResolvedContext, usableTokens, type WindowName } from '../options.ts'
import type { ConversationKey, Store } from '../store/store.ts'
import { buildContext } from './build-context.ts'
import { loadHistory } from './load-history.ts'
import { fromStored, toStored } from './receipt.ts'

export interface ContextRequest {
  /** The most tokens that the whole request may have. @default what the window leaves */
  readonly budgetTokens?: number
  /** The size of the model's window. @default the option context.window */
  readonly window?: WindowName | number
  /** Instructions that come before everything else, and before recorded system messages. */
  readonly system?: string
  /** The tools of the request, in the provider's shape: they cost tokens too. */
  readonly tools?: readonly unknown[]
}

export interface Context {
  readonly messages: readonly ContextMessage[]
  readonly receipt: Receipt
  /** False where there was no room left to keep the receipt. */
  readonly isReceiptKept: boolean
}

/** What making contexts needs. */
export interface ContextMaker {
  readonly store: Store
  readonly options: ResolvedContext
  readonly loadTokenizer: () => Promise<Tokenizer>
  readonly now: () => Date
}

/** A text that a call brings along. */
interface Question {
  readonly query?: string
}

/** Makes the context for a turn and keeps its receipt. */
export async function makeContext(
  maker: ContextMaker,
  key: ConversationKey,
  request: ContextRequest & Question,
): Promise<Context> {
  const { store, options } = maker
  const budgetTokens = acceptRequest(request, options)
  const [tokenizer, history, systemMessages, [previous]] = await Promise.all([
    maker.loadTokenizer(),
    loadHistory(store, key, budgetTokens),
    store.systemMessages(key),
    store.receipts(key, 1),
  ])
  const { messages, receipt, fingerprint } = buildContext({
    history,
    systemMessages,
    ...given({ query: request.query, system: request.system }),
    tools: request.tools ?? [],
    budgetTokens,
    stepTokens: Math.floor(budgetTokens * options.tailStep),
    counter: { tokenizer: tokenizer.name, count: (text) => tokenizer.count(text) },
    ...(previous !== undefined && { previous: previous.fingerprint }),
  })
  const now = maker.now()
  const last = history.at(-1)
  const turn = {
    id: newId(now),
    conversationId: key.conversation,
    createdAt: now,
    messageCount: (last?.position ?? -1) + 1,
  }
  const whole: Receipt = { ...turn, ...receipt }
  const isReceiptKept = await keepReceipt(store, key, {
    stored: toStored(whole, fingerprint),
    keep: options.receiptsKept,
  })
  return { messages, receipt: whole, isReceiptKept }
}

/** A full disk must not keep a chat from going on: reading needs no room, only the receipt does. */
async function keepReceipt(
  store: Store,
  key: ConversationKey,
  { stored, keep }: { stored: StoredReceipt; keep: number },
): Promise<boolean> {
  try {
    if (stored.messageCount === 0) {
      await store.createConversation({ ...key, fields: {}, createdAt: stored.createdAt })
    }
    await store.saveReceipt(key.workspace, stored, keep)
    return true
  } catch (error) {
    if (isMemoryError(error) && error.code === 'store-full') return false
    throw error
  }
}

/** Receipts of a conversation, newest first. */
export async function readReceipts(
  { store }: ContextMaker,
  key: ConversationKey,
  limit: number,
): Promise<readonly Receipt[]> {
  const stored = await store.receipts(key, limit)
  const readIds = ([from, to]: readonly [number, number]) =>
    store.messageIds({ ...key, after: from - 1, before: to + 1, limit: to - from + 1 })
  return Promise.all(stored.map((receipt) => fromStored(receipt, readIds)))
}

/** Returns the budget. */
function acceptRequest(request: ContextRequest & Question, options: ResolvedContext): number {
  acceptText('query', request.query)
  acceptText('system', request.system)
  if (request.query?.trim() === '') {
    throw new MemoryError('invalid-input', 'query is empty', { hint: 'leave it out' })
  }
  if (request.tools !== undefined && !Array.isArray(request.tools)) {
    throw new MemoryError('invalid-input', 'tools must be a list')
  }
  const window = request.window ?? options.window
  const budgetTokens = request.budgetTokens ?? usableTokens(window)
  if (Number.isSafeInteger(budgetTokens) && budgetTokens > 0) return budgetTokens
  const asked = JSON.stringify(request.budgetTokens ?? window)
  throw new MemoryError('invalid-input', `a budget cannot be ${asked} tokens`, {
    hint: 'give budgetTokens as a whole number above 0, or window as "12k", "128k", "262k" or a number',
  })
}

function acceptText(field: string, text: unknown): void {
  if (text === undefined) return
  if (typeof text !== 'string') throw new MemoryError('invalid-input', `${field} must be a text`)
  if (text.isWellFormed()) return
  throw new MemoryError('invalid-input', `${field} has half of a character in it (a lone surrogate)`, {
    hint: 'text.toWellFormed() mends it',
  })
}
