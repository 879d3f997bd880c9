import { useEffect, useState } from 'react'
import type { WireConversation } from 'recollect/react'
import { client } from '../../api/client.ts'
import { plural } from '../../format.ts'
import { useStore } from '../../store.ts'
import { conversationList } from './conversation-list.ts'
import { ConversationRow } from './conversation-row.tsx'

interface FoundConversationsProps {
  readonly words: string
  readonly openId: string | undefined
  readonly onLeave: () => void
}

/** Debounce while typing; too short to notice. */
const PAUSE_MS = 150

export function FoundConversations({ words, openId, onLeave }: FoundConversationsProps) {
  const found = useFound(words)
  const { deleting } = useStore(conversationList)
  const shown = found?.filter(({ id }) => !deleting.has(id))
  return (
    <nav className="sidebar-list" aria-label="Search results">
      <p className="visually-hidden" role="status">
        {shown === undefined ? 'Searching' : plural(shown.length, 'result')}
      </p>
      {shown?.length === 0 && (
        <p className="sidebar-empty">
          No chat title or tag matches “{words}”. Press Ctrl+K to search messages.
        </p>
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
        // Canceled by the next keystroke, or shown by the connection notice. Earlier results stay.
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
