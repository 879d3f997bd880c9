// The messages a fact or an entity comes from. If it comes from several conversations, each is tried until the message
// is found.

import { useRemote } from 'recollect/react'
import { client } from '../../api/client.ts'
import { formatDay } from '../../format.ts'
import { addressOf, Link } from '../../router.tsx'
import { Icon } from '../../ui/icon.tsx'
import { wordsOf } from './words-of.ts'

interface SourcesProps {
  readonly messageIds: readonly string[]
  readonly conversationIds: readonly string[]
}

const MOST_SHOWN = 5
const MOST_CHARACTERS = 280

/** Source messages, each linked to its place in the chat. */
export function Sources({ messageIds, conversationIds }: SourcesProps) {
  if (messageIds.length === 0) return null
  const shown = messageIds.slice(-MOST_SHOWN)
  return (
    <div className="sources">
      <h4 className="memory-small-title">Sources</h4>
      <ul className="sources-list">
        {shown.map((messageId) => (
          <Source key={messageId} messageId={messageId} conversationIds={conversationIds} />
        ))}
      </ul>
      {messageIds.length > shown.length && (
        <p className="memory-faint">and {messageIds.length - shown.length} earlier</p>
      )}
    </div>
  )
}

interface SourceProps {
  readonly messageId: string
  readonly conversationIds: readonly string[]
}

function Source({ messageId, conversationIds }: SourceProps) {
  const { value: message, error } = useRemote({
    name: `source ${messageId}`,
    read: () => findMessage(messageId, conversationIds),
  })
  if (error !== undefined)
    return <li className="memory-faint">Couldn’t load this message: {error.message}</li>
  if (message === undefined) return <li className="skeleton source-waiting" />
  if (message === null) return <li className="memory-faint">This message was erased.</li>
  const words = wordsOf(message.content)
  return (
    <li>
      <Link to={addressOf(message.conversationId, message.id)} className="source">
        <span className="source-words" dir="auto">
          {words.length > MOST_CHARACTERS ? `${words.slice(0, MOST_CHARACTERS)} …` : words}
        </span>
        <span className="source-place">
          {message.name ?? (message.role === 'user' ? 'You' : 'Assistant')} · {formatDay(message.createdAt)}
          <Icon name="external" size={12} />
        </span>
      </Link>
    </li>
  )
}

type Found = Awaited<ReturnType<ReturnType<typeof client.conversation>['message']>>

/** Null if no conversation has the message any more. */
async function findMessage(messageId: string, conversationIds: readonly string[]): Promise<Found | null> {
  for (const conversationId of conversationIds) {
    try {
      return await client.conversation(conversationId).message(messageId)
    } catch (error) {
      if ((error as { readonly code?: unknown }).code !== 'not-found') throw error
    }
  }
  return null
}
