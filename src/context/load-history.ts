import type { Message } from '../domain/message.ts'
import { given } from '../given.ts'
import type { ConversationKey, Store } from '../store/store.ts'

/** Grows, since small budgets need few messages and large ones thousands. */
const FIRST_PAGE = 50
const LARGEST_PAGE = 800

/**
 * The end of a conversation: at least `tokens` long, and reaching back to something that the user said, so
 * that the live turn is whole. System messages are read apart.
 */
export async function loadHistory(
  store: Store,
  key: ConversationKey,
  tokens: number,
): Promise<readonly Message[]> {
  let history: readonly Message[] = []
  let sum = 0
  let limit = FIRST_PAGE
  for (let before: number | undefined; ; ) {
    const page = await store.messages({
      ...key,
      ...given({ before }),
      limit,
      direction: 'backwards',
    })
    history = [...page, ...history]
    sum += page.reduce((total, message) => total + message.tokens, 0)
    const isEnough = sum > tokens && history.some(({ role }) => role === 'user')
    const first = page[0]
    if (first === undefined || first.position === 0 || isEnough) return history
    before = first.position
    limit = Math.min(limit * 2, LARGEST_PAGE)
  }
}

/** Long turns with many tool calls; what is longer is no beginning to keep. */
const BEGINNING_MESSAGES = 50

/** The first messages of a conversation whose history was read from its end; none where it was read whole. */
export async function loadBeginning(
  store: Store,
  key: ConversationKey,
  { history, turns }: { readonly history: readonly Message[]; readonly turns: number },
): Promise<readonly Message[]> {
  const from = history[0]?.position ?? 0
  if (from === 0 || turns === 0) return []
  return store.messages({ ...key, before: from, limit: BEGINNING_MESSAGES })
}
