import type { ConversationKey } from '../../domain/ids.ts'
import type { Message } from '../../domain/message.ts'
import type { Embedder } from '../../model/models.ts'
import { READER } from '../../store/derivations.ts'
import type { Store } from '../../store/store.ts'
import { spokenText } from '../spoken-text.ts'
import type { TopicMembers } from '../topics/apply-topic-edit.ts'

const READ_AT_ONCE = 500
const NO_LIMIT = 1_000_000_000

/** Which messages belong to which topic, as far as a generation has been read and committed. */
export function membersOf(
  { store, embedder }: { readonly store: Store; readonly embedder: Embedder },
  key: ConversationKey,
  generation: number,
): TopicMembers {
  const list = { ...key, deriver: READER, generation }
  return {
    topicOf: async (position) => {
      const [reading] = await store.readings({
        ...list,
        after: position - 1,
        before: position + 1,
        limit: 1,
      })
      return reading?.topic
    },
    messagesOf: async (topic) => {
      const readings = await store.readings({ ...list, topic, limit: NO_LIMIT })
      const messages = await readMessagesAt(
        store,
        key,
        readings.map(({ position }) => position),
      )
      const vectors = await embedder.embed(messages.map(spokenText))
      return messages.map((message, index) => [message, vectors[index] as Float32Array] as const)
    },
  }
}

/** Loads messages by ascending positions. */
export async function readMessagesAt(
  store: Store,
  key: ConversationKey,
  positions: readonly number[],
): Promise<readonly Message[]> {
  const wanted = new Set(positions)
  const found: Message[] = []
  for (let index = 0; index < positions.length; ) {
    const after = (positions[index] as number) - 1
    const page = await store.messages({ ...key, after, limit: READ_AT_ONCE })
    found.push(...page.filter(({ position }) => wanted.has(position)))
    const last = page.at(-1)?.position ?? Number.POSITIVE_INFINITY
    while (index < positions.length && (positions[index] as number) <= last) index += 1
  }
  return found
}
