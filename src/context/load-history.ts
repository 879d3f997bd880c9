import type { Message } from '../domain/message.ts'
import { given } from '../given.ts'
import type { ConversationKey, Store } from '../store/store.ts'

const READ_AT_ONCE = 500

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
  for (let before: number | undefined; ; ) {
    const page = await store.messages({
      ...key,
      ...given({ before }),
      limit: READ_AT_ONCE,
      direction: 'backwards',
    })
    history = [...page, ...history]
    sum += page.reduce((total, message) => total + message.tokens, 0)
    const isEnough = sum > tokens && history.some(({ role }) => role === 'user')
    const first = page[0]
    if (first === undefined || first.position === 0 || isEnough) return history
    before = first.position
  }
}
