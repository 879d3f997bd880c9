import { useState } from 'react'
import { useRemote } from 'recollect/react'
import { formatDay, plural } from '../../format.ts'
import { addressOf, Link } from '../../router.tsx'
import { Button } from '../../ui/button.tsx'
import { wordsOf } from '../memory/words-of.ts'
import type { Topic } from './topic.ts'
import type { TopicActions } from './topic-actions.ts'

interface TopicMessagesProps {
  readonly topic: Topic
  readonly topics: readonly Topic[]
  readonly actions: TopicActions
}

const MOST_CHARACTERS = 240

/** All messages of a topic, compressed or not. Selected ones can be moved to another topic. */
export function TopicMessages({ topic, topics, actions }: TopicMessagesProps) {
  const { id, conversationId } = topic
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const { value: messages, error } = useRemote({
    name: `topic messages ${conversationId} ${id} ${topic.messageIds.length}`,
    read: (client, signal) => client.conversation(conversationId).topics.messages(id, { signal }),
  })
  if (error !== undefined) return <p className="topic-problem">{error.message}</p>
  if (messages === undefined) return <div className="skeleton topic-waiting" />
  const toggle = (messageId: string) => {
    const next = new Set(chosen)
    if (!next.delete(messageId)) next.add(messageId)
    setChosen(next)
  }
  return (
    <>
      {chosen.size > 0 && (
        <ChosenBar
          chosen={[...chosen]}
          topic={topic}
          topics={topics}
          actions={actions}
          onDone={() => setChosen(new Set())}
        />
      )}
      <ol className="topic-messages">
        {messages.map((message) => (
          <li key={message.id} className="topic-message">
            <input
              type="checkbox"
              aria-label={`Select message ${message.position + 1}`}
              checked={chosen.has(message.id)}
              onChange={() => toggle(message.id)}
            />
            <Link to={addressOf(conversationId, message.id)} className="topic-message-link">
              <span className="topic-message-who">
                {message.role === 'user' ? (message.name ?? 'You') : 'Assistant'} ·{' '}
                {formatDay(message.createdAt)}
              </span>
              <span className="topic-message-text" dir="auto">
                {shorten(wordsOf(message.content))}
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </>
  )
}

const shorten = (text: string): string =>
  text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)} …` : text

interface ChosenBarProps extends TopicMessagesProps {
  readonly chosen: readonly string[]
  readonly onDone: () => void
}

function ChosenBar({ chosen, topic, topics, actions, onDone }: ChosenBarProps) {
  const others = topics.filter(({ id }) => id !== topic.id)
  const isAll = chosen.length === topic.totalMessages
  const move = (topicId: string) => {
    const to = others.find(({ id }) => id === topicId)
    if (to !== undefined) void actions.move(chosen, to)
    onDone()
  }
  return (
    <fieldset className="topic-chosen" aria-label="Selected messages">
      <span>{plural(chosen.length, 'message')} selected</span>
      <Button
        isSmall
        icon="fork"
        disabled={isAll}
        onClick={() => {
          void actions.split(chosen)
          onDone()
        }}
      >
        Split into new topic
      </Button>
      {others.length > 0 && (
        <select
          className="input topic-move"
          aria-label="Move to another topic"
          value=""
          onChange={(event) => move(event.target.value)}
        >
          <option value="">Move to…</option>
          {others.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      )}
    </fieldset>
  )
}
