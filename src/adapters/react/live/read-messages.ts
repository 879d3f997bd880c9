// Reads the messages of a conversation that the server has and a page does not, page by page; `gone` if the
// conversation no longer exists.

import type { ConversationCalls, WireMessage } from '../client/conversation-calls.ts'
import type { Listed } from '../client/send-request.ts'
import { toRequestError } from '../client/send-request.ts'

/** A few screens; more are loaded on demand. */
export const PAGE_MESSAGES = 50
/** The server's maximum per request. */
export const MOST_MESSAGES = 1000

export interface ReadPage {
  readonly messages: readonly WireMessage[]
  /** Set if it is known after this read. */
  readonly hasEarlier?: boolean
}

type Calls = Pick<ConversationCalls, 'messages'>
type MessagePage = Listed<'messages', WireMessage>

/** The last page at first, then everything since. A conversation without messages is empty. */
export async function* readLater(
  calls: Calls,
  last: WireMessage | undefined,
): AsyncGenerator<ReadPage | 'gone'> {
  if (last === undefined) {
    const page = await orGone(calls.messages({ direction: 'backwards', limit: PAGE_MESSAGES }))
    if (page === 'gone') yield { messages: [], hasEarlier: false }
    else yield { messages: page.messages, hasEarlier: page.next !== null }
    return
  }
  let after: string | number | null = last.position
  while (after !== null) {
    const page: MessagePage | 'gone' = await orGone(calls.messages({ after }))
    yield page === 'gone' ? page : { messages: page.messages }
    if (page === 'gone') return
    after = page.next
  }
}

/** The loaded messages that were erased since they were read. */
export async function* readErased(
  calls: Calls,
  kept: readonly WireMessage[],
): AsyncGenerator<ReadPage | 'gone'> {
  const standing = new Set(kept.filter(({ erasedAt }) => erasedAt === undefined).map(({ id }) => id))
  let before: string | number | null = (kept.at(-1)?.position ?? -1) + 1
  for (let left = kept.length; left > 0 && before !== null; left -= MOST_MESSAGES) {
    const limit = Math.min(left, MOST_MESSAGES)
    const page: MessagePage | 'gone' = await orGone(calls.messages({ before, limit }))
    if (page === 'gone') return yield page
    yield { messages: page.messages.filter(({ id, erasedAt }) => erasedAt !== undefined && standing.has(id)) }
    before = page.next
  }
}

async function orGone(page: Promise<MessagePage>): Promise<MessagePage | 'gone'> {
  try {
    return await page
  } catch (error) {
    if (toRequestError(error).code === 'not-found') return 'gone'
    throw error
  }
}
