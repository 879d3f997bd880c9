import { MemoryError } from '../domain/errors.ts'
import { type ConversationId, type MessageId, messageId } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import type { Signal } from '../domain/recall.ts'
import type {
  ContextFingerprint,
  PositionRun,
  Receipt,
  ReceiptItem,
  ReceiptPart,
  ReceiptReason,
  StoredPart,
  StoredReceipt,
  StoredReceiptItem,
} from '../domain/receipt.ts'
import type { Paginated } from '../domain/search.ts'
import type { ConversationKey, Store } from '../store/store.ts'

/** Sorted runs of message positions. */
export function toRuns(messages: readonly Pick<Message, 'position'>[]): readonly PositionRun[] {
  const positions = messages.map(({ position }) => position).sort((a, b) => a - b)
  const runs: [number, number][] = []
  for (const position of positions) {
    const last = runs.at(-1)
    if (last !== undefined && position <= last[1] + 1) last[1] = Math.max(last[1], position)
    else runs.push([position, position])
  }
  return runs
}

/** A fact may have a hundred sources; a stored receipt keeps the first ones. */
const MESSAGE_IDS_KEPT = 4

/** The part of a receipt that is stored. */
export function toStored(receipt: Receipt, fingerprint: ContextFingerprint): StoredReceipt {
  const parts = receipt.parts.map(({ messageIds: _, items, ...part }) => ({
    ...part,
    ...(items && { items: items.map(toStoredItem) }),
  }))
  return { ...receipt, parts, fingerprint }
}

function toStoredItem({ reasons, conversationId: _, messageIds, ...item }: ReceiptItem): StoredReceiptItem {
  const isItself = messageIds.length === 1 && messageIds[0] === item.id
  return {
    ...item,
    ...(!isItself && { messageIds: messageIds.slice(0, MESSAGE_IDS_KEPT) }),
    reasons: reasons.map(({ signal, score, text }) =>
      signal === undefined ? text : [signal, round(score ?? 0)],
    ),
    ...(item.score !== undefined && { score: round(item.score) }),
  }
}

const round = (score: number): number => Math.round(score * 1000) / 1000

export interface ReceiptSources {
  readIds(run: PositionRun): Promise<readonly MessageId[]>
  /** Undefined if the message no longer exists. */
  findConversation(message: MessageId): Promise<ConversationId | undefined>
}

/** Completes a stored receipt with ids. */
export async function fromStored(
  { fingerprint: _, ...stored }: StoredReceipt,
  sources: ReceiptSources,
): Promise<Receipt> {
  return { ...stored, parts: await Promise.all(stored.parts.map((part) => fromStoredPart(part, sources))) }
}

async function fromStoredPart({ items, ...part }: StoredPart, sources: ReceiptSources): Promise<ReceiptPart> {
  if (items === undefined) {
    const ids = await Promise.all(part.runs.map((run) => sources.readIds(run)))
    return { ...part, messageIds: ids.flat() }
  }
  const whole = await Promise.all(items.map((item) => fromStoredItem(item, sources)))
  const messageIds = new Set(whole.flatMap((item) => item.messageIds))
  return { ...part, messageIds: [...messageIds], items: whole }
}

async function fromStoredItem(
  item: StoredReceiptItem,
  { findConversation }: ReceiptSources,
): Promise<ReceiptItem> {
  const { messageIds = [messageId(item.id)] } = item
  const [first] = messageIds
  const conversationId = first === undefined ? undefined : await findConversation(first)
  return {
    ...item,
    messageIds,
    reasons: item.reasons.map(toReason),
    ...(conversationId && { conversationId }),
  }
}

function toReason(reason: StoredReceiptItem['reasons'][number]): ReceiptReason {
  if (typeof reason === 'string') return { text: reason }
  const [signal, score] = reason
  return { signal, score, text: PHRASES[signal] ?? signal }
}

/** Phrases for stored reasons, which quote no text. */
const PHRASES: Readonly<Record<Signal, string>> = {
  words: 'has words of the question',
  neighbours: 'near words of the question',
  session: 'the same session has words of the question',
  conversation: 'said in this conversation',
  meaning: 'close in meaning',
  speaker: 'said by someone the question names',
  entity: 'mentions someone or something in the question',
  time: 'from the time that the question names',
  answer: 'has the kind of answer that is asked for',
  substance: 'long enough to be useful',
  instruction: 'a standing instruction',
  update: 'says what changed since another message',
  recency: 'its topic came up recently',
  importance: 'important',
  'active-file': 'from the active file',
  reranked: 're-ranked with the question',
}

export interface ReceiptDeps {
  readonly store: Store
  readonly options: { readonly maxReceipts: number }
}

/** A page of the receipts of a conversation, newest first. The cursor is the id of the last one before it. */
export async function readReceipts(
  deps: ReceiptDeps,
  key: ConversationKey,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string },
): Promise<Paginated<Receipt>> {
  const { store, options } = deps
  const stored = await store.receipts(
    key,
    cursor === undefined ? limit + 1 : Math.max(1, options.maxReceipts),
  )
  const start = cursor === undefined ? 0 : stored.findIndex(({ id }) => id === cursor) + 1
  if (cursor !== undefined && start === 0)
    throw new MemoryError('invalid-input', 'invalid cursor', { hint: 'start again without a cursor' })
  const page = stored.slice(start, start + limit)
  const items = await Promise.all(page.map((receipt) => completeReceipt(deps, key, receipt)))
  const last = items.at(-1)
  return start + limit < stored.length && last !== undefined ? { items, next: last.id } : { items }
}

/** Searches the stored receipts, which are few. */
export async function findReceipt(
  deps: ReceiptDeps,
  key: ConversationKey,
  id: string,
): Promise<Receipt | undefined> {
  const kept = await deps.store.receipts(key, Math.max(1, deps.options.maxReceipts))
  const stored = kept.find((receipt) => receipt.id === id)
  return stored && completeReceipt(deps, key, stored)
}

function completeReceipt(
  { store }: ReceiptDeps,
  key: ConversationKey,
  stored: StoredReceipt,
): Promise<Receipt> {
  return fromStored(stored, {
    readIds: ([from, to]) =>
      store.messageIds({ ...key, after: from - 1, before: to + 1, limit: to - from + 1 }),
    findConversation: async (id: MessageId) => (await store.findMessage(key.workspace, id))?.conversationId,
  })
}
