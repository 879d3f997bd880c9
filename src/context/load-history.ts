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
