import type { Place } from '../../router.tsx'
import { ConversationView } from './conversation-view.tsx'
import { NewChat } from './new-chat.tsx'
import './chat.css'

export function ChatPage({ place }: { readonly place: Place }) {
  const { conversationId, messageId, isIncognito = false } = place
  if (conversationId === undefined) return <NewChat isIncognito={isIncognito} />
  return <ConversationView conversationId={conversationId} messageId={messageId} />
}
