import { definedFields } from '../domain/defined-fields.ts'
import type { Message } from '../domain/message.ts'
import { isSaid, ReplacementFilter, withoutReplaced } from '../domain/recollect-metadata.ts'
import type { ConversationKey, Store } from '../store/store.ts'
import type { LeftMessage } from './material.ts'

/** Grows, since small budgets need few messages and large ones thousands. */
const FIRST_PAGE = 50
const LARGEST_PAGE = 800

/** The end of a conversation as it is now. */
export interface History {
  readonly history: readonly Message[]
  /** What lies between and is not part of the talk any more, or never was. */
  readonly left: readonly LeftMessage[]
  /** How many messages the conversation has, as far as it is looked at. */
  readonly messageCount: number
}

interface HistoryRequest {
  readonly tokens: number
  /** Exclusive, both of them. */
  readonly before?: number
  readonly after?: number
}

/**
 * The end of a conversation: at least `tokens` long, and reaching back to something that the user said, so
 * that the live turn is whole. System messages are read apart.
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
  let limit = FIRST_PAGE
  for (let before = end; ; ) {
    const page = await store.messages({
      ...key,
      after,
      ...definedFields({ before }),
      limit,
      direction: 'backwards',
    })
    messageCount ??= (page.at(-1)?.position ?? -1) + 1
    const { said, others } = partPage(reading, page)
    history = [...said, ...history]
    left = [...others, ...left]
    sum += said.reduce((total, message) => total + message.tokens, 0)
    const isEnough = sum > tokens && history.some(({ role }) => role === 'user')
    const first = page[0]
    if (first === undefined || first.position === after + 1 || isEnough)
      return { history, left, messageCount }
    before = first.position
    limit = Math.min(limit * 2, LARGEST_PAGE)
  }
}

function partPage(
  reading: ReplacementFilter,
  page: readonly Message[],
): { readonly said: readonly Message[]; readonly others: readonly LeftMessage[] } {
  const { current, replaced } = reading.part(page)
  return {
    said: current.filter(isSaid),
    others: [
      ...replaced.map((message) => ({ message, reason: 'another message stands in its place' })),
      ...current
        .filter((message) => !isSaid(message))
        .map((message) => ({ message, reason: 'made from memory, said by nobody' })),
    ].sort((one, other) => one.message.position - other.message.position),
  }
}

/** Long turns with many tool calls; what is longer is no beginning to keep. */
const BEGINNING_MESSAGES = 50
/** As far on as a message may stand that takes the place of one of them: src/chat/find-place.ts. */
const REPLACED_WITHIN = 50

/** The first messages of a conversation whose history was read from its end; none where it was read whole. */
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
