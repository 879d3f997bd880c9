import { Digest } from '../../../domain/digest.ts'
import type { ForeignConversation, ForeignMessage, LooseMessage } from './foreign.ts'

interface Begun {
  readonly id: string
  /** The last message of the part that was handed out before. */
  continues?: string
  messages: ForeignMessage[]
  /** Of all its messages so far, so that an id says what was said before it. */
  readonly digest: Digest
}

/** So many are held; then each conversation hands out what it has. */
const HELD = 1000

/**
 * Messages that come one by one, put together to conversations. An id is made from all that was said up to the
 * message: a file that has grown at its end then has the same ids at its beginning.
 */
export class LooseMessages {
  readonly #begun = new Map<string, Begun>()
  #held = 0

  /** Returns parts of conversations when enough has come together. */
  add({ conversationId, message }: LooseMessage, text: string): readonly ForeignConversation[] {
    const begun = this.#find(conversationId, text)
    begun.messages.push({ ...message, id: begun.digest.add(text).toString() })
    this.#held += 1
    return this.#held < HELD ? [] : this.handOut()
  }

  handOut(): readonly ForeignConversation[] {
    this.#held = 0
    const parts = [...this.#begun.values()].filter(({ messages }) => messages.length > 0).map(toPart)
    for (const begun of this.#begun.values()) {
      const last = begun.messages.at(-1)?.id
      if (last !== undefined) begun.continues = last
      begun.messages = []
    }
    return parts
  }

  /** Without an id of its own, a conversation is known by its first message. */
  #find(conversationId: string | undefined, text: string): Begun {
    const key = conversationId ?? ''
    const found = this.#begun.get(key)
    if (found !== undefined) return found
    const id = conversationId ?? new Digest().add(text).toString()
    const begun = { id, messages: [], digest: new Digest() }
    this.#begun.set(key, begun)
    return begun
  }
}

function toPart({ id, continues, messages }: Begun): ForeignConversation {
  return {
    kind: 'conversation',
    id,
    isPart: true,
    messages,
    branches: [],
    problems: [],
    ...(continues !== undefined && { continues }),
  }
}
