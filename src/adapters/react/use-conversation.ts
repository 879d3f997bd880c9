import { useMemo } from 'react'
import type { ConversationView } from './live/conversation-view.ts'
import { LiveConversation } from './live/live-conversation.ts'
import { useLive } from './use-live.ts'

export interface UsedConversation
  extends ConversationView,
    Pick<
      LiveConversation,
      | 'send'
      | 'edit'
      | 'regenerate'
      | 'stop'
      | 'retry'
      | 'dismissError'
      | 'refresh'
      | 'loadEarlier'
      | 'loadBackTo'
    > {}

/**
 * A conversation: its messages, the answer as it is streamed, and actions. It need not exist yet: the first
 * message creates it. Components with the same id share its state, and tabs stay in sync.
 */
export function useConversation(conversationId: string): UsedConversation {
  const [live, view] = useLive<ConversationView, LiveConversation>({
    name: `conversation ${conversationId}`,
    make: (client, announcements) => new LiveConversation(client, conversationId, announcements),
  })
  return useMemo(() => {
    const { send, edit, regenerate, stop, retry, dismissError, refresh, loadEarlier, loadBackTo } = live
    return { ...view, send, edit, regenerate, stop, retry, dismissError, refresh, loadEarlier, loadBackTo }
  }, [live, view])
}
