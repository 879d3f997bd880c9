import { ConversationBar } from '../conversations/conversation-bar.tsx'

export function TopicsPage({ conversationId }: { readonly conversationId: string }) {
  return (
    <>
      <ConversationBar conversationId={conversationId} tab="topics" />
      <div className="page">
        <div className="page-column" />
      </div>
    </>
  )
}
