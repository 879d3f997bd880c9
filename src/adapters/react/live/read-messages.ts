// What the server has of a conversation and a page has not, page by page; `gone` where there is no such conversation any
// more.

import type { ConversationCalls } from '../client/conversation-calls.ts'
import { toRequestError } from '../client/request-error.ts'
import type { Listed, WireMessage } from '../client/wire.ts'

/** Some screens full; more come when they are asked for. */
export const PAGE_MESSAGES = 50
/** What the server hands out at once. */
export const MOST_MESSAGES = 1000

export interface ReadPage {
  readonly messages: readonly WireMessage[]
  /** Where that is known now. */
  readonly hasEarlier?: boolean
}

type Calls = Pick<ConversationCalls, 'messages'>
type MessagePage = Listed<'messages', WireMessage>

/** The last page at first, later all that came since. A conversation that nobody has spoken in yet is empty. */
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

/** Of the messages in sight, those whose words were erased since they were read. */
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
