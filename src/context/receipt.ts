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

/** Positions of messages as runs, in order. */
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

/** A fact may have been said a hundred times; a kept receipt need not know where. */
const MESSAGE_IDS_KEPT = 4

/** What is kept of a receipt. */
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

/** What a kept receipt is completed with. */
export interface ReceiptSources {
  readIds(run: PositionRun): Promise<readonly MessageId[]>
  /** Undefined where the message is gone. */
  findConversation(message: MessageId): Promise<ConversationId | undefined>
}

/** A kept receipt with its ids again. */
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

/** What is left of a reason when the words that it quoted are not kept. */
const PHRASES: Readonly<Record<Signal, string>> = {
  words: 'has words of the question',
  neighbours: 'stands beside words of the question',
  session: 'the words of the question were spoken at the same sitting',
  conversation: 'said where the question is asked',
  meaning: 'means something similar',
  speaker: 'said by somebody in the question',
  entity: 'about somebody or something in the question',
  time: 'from the time in question',
  answer: 'has what is asked for',
  substance: 'says enough',
  instruction: 'an order that stands',
  recency: 'of a topic that has not faded',
  importance: 'important',
  'active-file': 'of the file that is open',
  reranked: 'read together with the question',
}
