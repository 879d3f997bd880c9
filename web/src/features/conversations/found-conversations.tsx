import { useEffect, useState } from 'react'
import type { WireConversation } from 'recollect/react'
import { client } from '../../api/client.ts'
import { useStore } from '../../store.ts'
import { conversationList } from './conversation-list.ts'
import { ConversationRow } from './conversation-row.tsx'

interface FoundConversationsProps {
  readonly words: string
  readonly openId: string | undefined
  readonly onLeave: () => void
}

/** A pause in typing, shorter than somebody who waits would notice. */
const PAUSE_MS = 150

export function FoundConversations({ words, openId, onLeave }: FoundConversationsProps) {
  const found = useFound(words)
  const { leaving } = useStore(conversationList)
  const shown = found?.filter(({ id }) => !leaving.has(id))
  return (
    <nav className="sidebar-list" aria-label="Chats found">
      <p className="visually-hidden" role="status">
        {shown === undefined ? 'Searching' : `${shown.length} found`}
      </p>
      {shown?.length === 0 && (
        <p className="sidebar-empty">No title or tag has “{words}”. Ctrl+K searches what was said.</p>
      )}
      <ul className="sidebar-rows">
        {shown?.map((conversation) => (
          <li key={conversation.id}>
            <ConversationRow
              conversation={conversation}
              isOpen={conversation.id === openId}
              onLeave={onLeave}
            />
          </li>
        ))}
      </ul>
    </nav>
  )
}

function useFound(words: string): readonly WireConversation[] | undefined {
  const [found, setFound] = useState<readonly WireConversation[] | undefined>()
  useEffect(() => {
    const stop = new AbortController()
    const timer = setTimeout(async () => {
      try {
        const q = `${words.replaceAll('"', ' ').trim()}*`
        const { hits } = await client.searchConversations({ q, limit: 50, signal: stop.signal })
        setFound(hits.map(({ conversation }) => conversation))
      } catch {
        // Stopped by the next letter, or the connection's notice tells; what was found stays.
        return
      }
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [words])
  return found
}
