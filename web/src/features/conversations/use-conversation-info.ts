import { useRemote, type WireConversation } from 'recollect/react'
import { useStore } from '../../store.ts'
import { conversationList, findListed } from './conversation-list.ts'

interface ConversationInfo {
  /** Undefined until loaded. */
  readonly conversation: WireConversation | undefined
  readonly isMissing: boolean
}

/** Title, tags and counts: from the sidebar list first, then from the server. */
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
