import { useState } from 'react'
import { formatAgo, formatMoment, plural } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { colourOf, isArchived, type Topic } from './topic.ts'
import type { TopicActions } from './topic-actions.ts'
import { TopicMenu } from './topic-menu.tsx'
import { TopicMessages } from './topic-messages.tsx'

interface TopicCardProps {
  readonly topic: Topic
  readonly topics: readonly Topic[]
  readonly actions: TopicActions
  readonly onLook: (topicId: string | undefined) => void
}

export function TopicCard({ topic, topics, actions, onLook }: TopicCardProps) {
  const [isOpen, setOpen] = useState(false)
  const look = () => onLook(topic.id)
  const leave = () => onLook(isOpen ? topic.id : undefined)
  return (
    <li
      className={`topic ${colourOf(topic, topics)}`}
      data-state={topic.state}
      onPointerEnter={look}
      onPointerLeave={leave}
      onFocus={look}
      onBlur={leave}
    >
      <div className="topic-head">
        <i className="swatch" />
        <h3 className="topic-title" dir="auto" title={topic.title}>
          {topic.title}
        </h3>
        <TopicMenu topic={topic} topics={topics} actions={actions} />
      </div>
      <div className="topic-chips">
        {topic.state === 'current' && <span className="chip chip-accent">current</span>}
        {isArchived(topic) && <span className="chip">archived</span>}
        {topic.isPinned && (
          <span className="chip">
            <Icon name="pin" size={12} />
            pinned
          </span>
        )}
        {topic.tags.map((tag) => (
          <span key={tag} className="chip">
            <Icon name="tag" size={12} />
            {tag}
          </span>
        ))}
      </div>
      <Strength topic={topic} />
      <Figures topic={topic} />
      <div className="topic-foot">
        <Button look="quiet" isSmall icon="list" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide messages' : `Show ${plural(topic.totalMessages, 'message')}`}
        </Button>
        {isArchived(topic) && (
          <Button look="quiet" isSmall icon="refresh" onClick={() => void actions.restore(topic)}>
            Restore
          </Button>
        )}
      </div>
      {isOpen && <TopicMessages topic={topic} topics={topics} actions={actions} />}
    </li>
  )
}

function Strength({ topic: { priority, importance } }: { readonly topic: Topic }) {
  const share = Math.round(priority * 100)
  return (
    <div className="strength">
      <div className="strength-bar">
        <svg width="100%" height="6" preserveAspectRatio="none" viewBox="0 0 100 6" aria-hidden="true">
          <rect width={Math.max(share, 1)} height="6" rx="1" />
        </svg>
      </div>
      <span className="strength-figure" title={`importance ${importance.toFixed(2)}`}>
        <span className="visually-hidden">Memory strength </span>
        {priority.toFixed(2)}
      </span>
    </div>
  )
}

function Figures({ topic }: { readonly topic: Topic }) {
  const { memoryType, halfLifeDays, activeMessages, compressedMessages, accessCount, lastUsedAt, createdAt } =
    topic
  return (
    <dl className="figures">
      <Figure name="Memory type" value={`${memoryType}, half-life ${plural(halfLifeDays, 'day')}`} />
      <Figure
        name="Messages"
        value={`${activeMessages} active${compressedMessages > 0 ? `, ${compressedMessages} compressed` : ''}`}
      />
      <Figure name="Mentioned" value={plural(accessCount, 'time')} />
      <Figure name="Last mentioned" value={formatAgo(lastUsedAt)} title={formatMoment(lastUsedAt)} />
      <Figure name="Started" value={formatAgo(createdAt)} title={formatMoment(createdAt)} />
    </dl>
  )
}

interface FigureProps {
  readonly name: string
  readonly value: string
  readonly title?: string
}

const Figure = ({ name, value, title }: FigureProps) => (
  <div>
    <dt>{name}</dt>
    <dd title={title}>{value}</dd>
  </div>
)
