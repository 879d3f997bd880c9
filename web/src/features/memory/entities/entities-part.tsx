import { useMemo, useState } from 'react'
import { type RecollectClient, useRemote } from 'recollect/react'
import { formatAgo, formatMoment, plural } from '../../../format.ts'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import { Empty, RemoteState } from '../remote-state.tsx'
import { Sources } from '../sources.tsx'

type Entity = Awaited<ReturnType<RecollectClient['entities']['list']>>['entities'][number]
type EntityType = Entity['type']

const TYPES: Readonly<Record<EntityType, { readonly name: string; readonly icon: IconName }>> = {
  person: { name: 'People', icon: 'person' },
  organisation: { name: 'Organisations', icon: 'archive' },
  product: { name: 'Products', icon: 'bolt' },
  place: { name: 'Places', icon: 'place' },
  date: { name: 'Dates', icon: 'clock' },
  file: { name: 'Files', icon: 'file' },
  url: { name: 'Links', icon: 'external' },
  email: { name: 'Email addresses', icon: 'send' },
  other: { name: 'Other', icon: 'tag' },
}

/** People and things mentioned in chats, most mentioned first. */
export function EntitiesPart() {
  const state = useRemote({
    name: 'entities',
    about: ['knowledge'],
    read: async (client, signal) => (await client.entities.list({ limit: 500, signal })).entities,
  })
  return <RemoteState state={state}>{(entities) => <Entities entities={entities} />}</RemoteState>
}

function Entities({ entities }: { readonly entities: readonly Entity[] }) {
  const [type, setType] = useState<EntityType | undefined>()
  const [words, setWords] = useState('')
  const types = useMemo(() => [...new Set(entities.map((entity) => entity.type))], [entities])
  const shown = entities.filter(
    (entity) => (type === undefined || entity.type === type) && isNamed(entity, words.toLowerCase()),
  )
  if (entities.length === 0) {
    return (
      <Empty icon="tag" title="No people or things yet">
        People, places, products and companies mentioned in your chats will appear here.
      </Empty>
    )
  }
  return (
    <>
      <div className="memory-tools">
        <input
          type="search"
          className="input"
          placeholder="Search people & things"
          aria-label="Search people & things"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
        <select
          className="input memory-select"
          aria-label="Type"
          value={type ?? ''}
          onChange={(event) => setType(types.find((one) => one === event.target.value))}
        >
          <option value="">All types</option>
          {types.map((one) => (
            <option key={one} value={one}>
              {TYPES[one].name}
            </option>
          ))}
        </select>
      </div>
      <ul className="memory-list">
        {shown.map((entity) => (
          <EntityRow key={entity.id} entity={entity} most={entities[0]?.mentions ?? 1} />
        ))}
      </ul>
      {shown.length === 0 && <p className="memory-none">No matches.</p>}
    </>
  )
}

const isNamed = ({ name, aliases }: Entity, words: string): boolean =>
  [name, ...aliases].some((alias) => alias.toLowerCase().includes(words))

interface EntityRowProps {
  readonly entity: Entity
  /** Mentions of the most mentioned entity. */
  readonly most: number
}

function EntityRow({ entity, most }: EntityRowProps) {
  const [isOpen, setOpen] = useState(false)
  const { name, type, mentions, lastAt, conversationIds, aliases } = entity
  return (
    <li className="memory-row">
      <button
        type="button"
        className="memory-row-main"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={TYPES[type].icon} size={16} />
        <span className="memory-row-text">
          <span className="memory-row-title" dir="auto">
            {name}
          </span>
          <span className="memory-faint">
            {type} · in {plural(conversationIds.length, 'chat')}
            {lastAt !== undefined && <span title={formatMoment(lastAt)}> · {formatAgo(lastAt)}</span>}
          </span>
        </span>
        <span className="mentions">
          <svg width="64" height="6" viewBox="0 0 64 6" aria-hidden="true">
            <rect width={Math.max(2, (mentions / most) * 64)} height="6" rx="3" />
          </svg>
          {plural(mentions, 'mention')}
        </span>
      </button>
      {isOpen && (
        <div className="memory-row-more">
          {aliases.length > 1 && (
            <p className="memory-faint" dir="auto">
              Also known as {aliases.filter((alias) => alias !== name).join(', ')}
            </p>
          )}
          <Sources messageIds={mentionsOf(entity)} conversationIds={conversationIds} />
        </div>
      )}
    </li>
  )
}

const mentionsOf = ({ firstMessageId, lastMessageId }: Entity): readonly string[] => [
  ...new Set([firstMessageId, lastMessageId]),
]
