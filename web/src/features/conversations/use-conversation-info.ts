import { useRemote, type WireConversation } from 'recollect/react'
import { useStore } from '../../store.ts'
import { conversationList, findListed } from './conversation-list.ts'

interface ConversationInfo {
  /** Missing until it was read. */
  readonly conversation: WireConversation | undefined
  readonly isMissing: boolean
}

/** Title, tags, counts: from the list at first, then as the server has it. */
export function useConversationInfo(conversationId: string): ConversationInfo {
  useStore(conversationList)
  const { value, error } = useRemote({
    name: `info ${conversationId}`,
    read: (client, signal) => client.conversation(conversationId).get({ signal }),
    about: [`conversation ${conversationId}`],
  })
  const listed = findListed(conversationId)
  const conversation = value === undefined || isNewer(listed, value) ? (listed ?? value) : value
  return { conversation, isMissing: error?.code === 'not-found' }
}

const isNewer = (one: WireConversation | undefined, other: WireConversation): boolean =>
  one !== undefined && one.lastUsedAt >= other.lastUsedAt
