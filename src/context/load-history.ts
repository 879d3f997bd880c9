import { definedFields } from '../domain/defined-fields.ts'
import type { Message } from '../domain/message.ts'
import { isSaid, ReplacementFilter, withoutReplaced } from '../domain/recollect-metadata.ts'
import type { ConversationKey, Store } from '../store/store.ts'
import type { LeftMessage } from './material.ts'

/** Pages grow, because small budgets need few messages and large ones thousands. */
const FIRST_PAGE_MESSAGES = 50
const MAX_PAGE_MESSAGES = 800

export interface History {
  readonly history: readonly Message[]
  /** Messages in between that are not part of the conversation (any more). */
  readonly left: readonly LeftMessage[]
  /** Number of messages up to `before`. */
  readonly messageCount: number
}

interface HistoryRequest {
  readonly tokens: number
  /** Both exclusive. */
  readonly before?: number
  readonly after?: number
}

/**
 * Loads the end of a conversation: at least `tokens` long, and back to a user message, so that the live turn is
 * complete. System messages are loaded separately.
 */
export async function loadHistory(
  store: Store,
  key: ConversationKey,
  { tokens, before: end, after = -1 }: HistoryRequest,
): Promise<History> {
  const reading = new ReplacementFilter()
  let history: readonly Message[] = []
  let left: readonly LeftMessage[] = []
  let messageCount: number | undefined
  let sum = 0
  let limit = FIRST_PAGE_MESSAGES
  for (let before = end; ; ) {
    const page = await store.messages({
      ...key,
      after,
      ...definedFields({ before }),
      limit,
      direction: 'backwards',
    })
    messageCount ??= (page.at(-1)?.position ?? -1) + 1
    const { said, others } = splitPage(reading, page)
    history = [...said, ...history]
    left = [...others, ...left]
    sum += said.reduce((total, message) => total + message.tokens, 0)
    const isEnough = sum > tokens && history.some(({ role }) => role === 'user')
    const first = page[0]
    if (first === undefined || first.position === after + 1 || isEnough)
      return { history, left, messageCount }
    before = first.position
    limit = Math.min(limit * 2, MAX_PAGE_MESSAGES)
  }
}

function splitPage(
  reading: ReplacementFilter,
  page: readonly Message[],
): { readonly said: readonly Message[]; readonly others: readonly LeftMessage[] } {
  const { current, replaced } = reading.part(page)
  return {
    said: current.filter(isSaid),
    others: [
      ...replaced.map((message) => ({ message, reason: 'it was replaced by another message' })),
      ...current
        .filter((message) => !isSaid(message))
        .map((message) => ({ message, reason: 'generated from memory; nobody said it' })),
    ].sort((one, other) => one.message.position - other.message.position),
  }
}

/** Enough for long turns with many tool calls. */
const BEGINNING_MESSAGES = 50
/** Maximum distance of a replacement from the message that it replaces: src/chat/begin-turn.ts. */
const REPLACED_WITHIN = 50

/** Loads the first messages of a conversation; none if the history has them already. */
export async function loadBeginning(
  store: Store,
  key: ConversationKey,
  { history, left, turns }: Pick<History, 'history' | 'left'> & { readonly turns: number },
): Promise<readonly Message[]> {
  const from = Math.min(history[0]?.position ?? 0, left[0]?.message.position ?? Number.POSITIVE_INFINITY)
  if (from === 0 || turns === 0) return []
  const read = await store.messages({ ...key, before: from, limit: BEGINNING_MESSAGES + REPLACED_WITHIN })
  const isBeginning = ({ position }: Message) => position < Math.min(from, BEGINNING_MESSAGES)
  return withoutReplaced([...read, ...history]).filter((message) => isBeginning(message) && isSaid(message))
}
