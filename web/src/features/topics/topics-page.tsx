import { useState } from 'react'
import { useRemote, useTopics } from 'recollect/react'
import { plural } from '../../format.ts'
import { Choice, type ChoiceOption } from '../../ui/choice.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ConversationBar } from '../conversations/conversation-bar.tsx'
import { CurveChart } from './curve-chart.tsx'
import { fittingSpan, SPANS, type SpanName, toSpan } from './curve-span.ts'
import { isArchived, type Topic } from './topic.ts'
import { type TopicActions, useTopicActions } from './topic-actions.ts'
import { TopicCard } from './topic-card.tsx'
import './topics.css'

export function TopicsPage({ conversationId }: { readonly conversationId: string }) {
  const used = useTopics(conversationId)
  const { topics, error } = used
  return (
    <>
      <ConversationBar conversationId={conversationId} tab="topics" />
      <div className="page">
        <div className="page-column">
          {error !== undefined && topics === undefined && <Problem text={error.message} />}
          {topics === undefined && error === undefined && <div className="skeleton topics-waiting" />}
          {topics !== undefined && topics.length === 0 && <NoTopics />}
          {topics !== undefined && topics.length > 0 && (
            <Topics conversationId={conversationId} used={used} topics={topics} />
          )}
        </div>
      </div>
    </>
  )
}

const Problem = ({ text }: { readonly text: string }) => (
  <div className="notice notice-danger" role="alert">
    <Icon name="warn" />
    <div className="notice-body">{text}</div>
  </div>
)

const NoTopics = () => (
  <div className="empty">
    <Icon name="topics" size={40} />
    <h2 className="empty-title">No topics yet</h2>
    <p>
      Topics appear with the first message. Each one shows what part of the chat is about and how well it is
      remembered.
    </p>
  </div>
)

interface TopicsProps {
  readonly conversationId: string
  readonly used: ReturnType<typeof useTopics>
  readonly topics: readonly Topic[]
}

/** One point for every few hours of a month. */
const POINTS = 320

function Topics({ conversationId, used, topics }: TopicsProps) {
  // "Now" stays fixed while the page is open, so that nothing moves under the pointer.
  const [now] = useState(() => Date.now())
  const [spanName, setSpanName] = useState<SpanName>(() => fittingSpan(topics, now))
  const [highlightedId, setHighlightedId] = useState<string | undefined>()
  const span = toSpan(spanName, topics, now)
  const { value: curves = [], refresh } = useRemote({
    name: `curves ${conversationId} ${spanName} ${span.from}`,
    read: (client, signal) =>
      client.conversation(conversationId).topics.curves({
        from: new Date(span.from).toISOString(),
        to: new Date(span.to).toISOString(),
        points: POINTS,
        signal,
      }),
    about: [`conversation ${conversationId}`],
  })
  const actions = useTopicActions(used, refresh)
  return (
    <>
      <section className="card topics-curves" aria-labelledby="curves-title">
        <div className="topics-curves-head">
          <div>
            <h2 id="curves-title">Memory strength</h2>
            <p className="topics-lead">
              A topic fades while nobody mentions it and recovers when it comes up again. Dashed lines are the
              forecast.
            </p>
          </div>
          <Choice label="Time range" options={SPAN_OPTIONS} chosen={spanName} onChoose={setSpanName} />
        </div>
        <CurveChart topics={topics} curves={curves} span={span} now={now} chosenId={highlightedId} />
      </section>
      <TopicLists topics={topics} actions={actions} onLook={setHighlightedId} />
    </>
  )
}

const SPAN_OPTIONS: readonly ChoiceOption<SpanName>[] = SPANS.map(({ name }) => ({ value: name, text: name }))

interface TopicListsProps {
  readonly topics: readonly Topic[]
  readonly actions: TopicActions
  readonly onLook: (topicId: string | undefined) => void
}

function TopicLists({ topics, ...more }: TopicListsProps) {
  const live = topics.filter((topic) => !isArchived(topic))
  const archived = topics.filter(isArchived)
  return (
    <>
      <section aria-labelledby="live-title">
        <h2 id="live-title" className="topics-heading">
          {plural(live.length, 'active topic')}
        </h2>
        <ul className="topics">
          {live.map((topic) => (
            <TopicCard key={topic.id} topic={topic} topics={topics} {...more} />
          ))}
        </ul>
      </section>
      {archived.length > 0 && (
        <section aria-labelledby="archived-title">
          <h2 id="archived-title" className="topics-heading">
            {plural(archived.length, 'archived topic')}
          </h2>
          <p className="topics-lead">Archived topics are not lost: mentioning one brings it back.</p>
          <ul className="topics">
            {archived.map((topic) => (
              <TopicCard key={topic.id} topic={topic} topics={topics} {...more} />
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
