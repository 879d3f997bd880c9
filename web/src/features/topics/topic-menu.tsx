import { useId, useState } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import type { Topic } from './topic.ts'
import type { TopicActions } from './topic-actions.ts'

interface TopicMenuProps {
  readonly topic: Topic
  readonly topics: readonly Topic[]
  readonly actions: TopicActions
}

type TopicDialog = 'title' | 'tags' | 'importance' | 'merge'

export function TopicMenu({ topic, topics, actions }: TopicMenuProps) {
  const [dialog, setDialog] = useState<TopicDialog | undefined>()
  const close = () => setDialog(undefined)
  return (
    <>
      <Menu
        label={`Actions for “${topic.title}”`}
        className="icon-button icon-button-small"
        button={<Icon name="more" size={16} />}
      >
        {() => (
          <>
            <MenuItem icon="pin" onChoose={() => void actions.change(topic, { isPinned: !topic.isPinned })}>
              {topic.isPinned ? 'Unpin' : 'Pin (never archive)'}
            </MenuItem>
            {topic.state !== 'current' && (
              <MenuItem icon="refresh" onChoose={() => void actions.restore(topic)}>
                Restore to full strength
              </MenuItem>
            )}
            <MenuItem icon="edit" onChoose={() => setDialog('title')}>
              Rename…
            </MenuItem>
            <MenuItem icon="tag" onChoose={() => setDialog('tags')}>
              Tags…
            </MenuItem>
            <MenuItem icon="bolt" onChoose={() => setDialog('importance')}>
              Importance…
            </MenuItem>
            {topics.length > 1 && (
              <MenuItem icon="fork" onChoose={() => setDialog('merge')}>
                Merge into another topic…
              </MenuItem>
            )}
          </>
        )}
      </Menu>
      {dialog === 'title' && <TitleDialog topic={topic} actions={actions} onClose={close} />}
      {dialog === 'tags' && <TagTopicDialog topic={topic} actions={actions} onClose={close} />}
      {dialog === 'importance' && <ImportanceDialog topic={topic} actions={actions} onClose={close} />}
      {dialog === 'merge' && <MergeDialog topic={topic} topics={topics} actions={actions} onClose={close} />}
    </>
  )
}

interface TopicDialogProps {
  readonly topic: Topic
  readonly actions: TopicActions
  readonly onClose: () => void
}

function TitleDialog({ topic, actions, onClose }: TopicDialogProps) {
  const [title, setTitle] = useState(topic.title)
  const id = useId()
  const save = () => void actions.change(topic, { title: title.trim() === '' ? null : title.trim() })
  return (
    <Dialog title="Rename topic" action="Rename" onSubmit={save} onClose={onClose}>
      <div className="field">
        <label className="field-label" htmlFor={id}>
          Title
        </label>
        <input
          id={id}
          className="input"
          value={title}
          maxLength={80}
          onChange={(event) => setTitle(event.target.value)}
        />
        <p className="field-hint">Leave empty for an automatic title.</p>
      </div>
    </Dialog>
  )
}

function TagTopicDialog({ topic, actions, onClose }: TopicDialogProps) {
  const [text, setText] = useState(topic.tags.join(', '))
  const id = useId()
  const toTags = () => [...new Set(text.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '')
  return (
    <Dialog
      title="Topic tags"
      action="Save"
      onSubmit={() => void actions.change(topic, { tags: toTags() })}
      onClose={onClose}
    >
      <div className="field">
        <label className="field-label" htmlFor={id}>
          Tags, separated by commas
        </label>
        <input id={id} className="input" value={text} onChange={(event) => setText(event.target.value)} />
      </div>
    </Dialog>
  )
}

function ImportanceDialog({ topic, actions, onClose }: TopicDialogProps) {
  const [importance, setImportance] = useState(topic.importance)
  const id = useId()
  return (
    <Dialog
      title="Importance"
      action="Save"
      onSubmit={() => void actions.change(topic, { importance })}
      onClose={onClose}
    >
      <div className="field">
        <label className="field-label" htmlFor={id}>
          {importance.toFixed(2)}
        </label>
        <input
          id={id}
          type="range"
          min={0}
          max={1}
          step={0.05}
          value={importance}
          onChange={(event) => setImportance(Number(event.target.value))}
        />
        <p className="field-hint">The memory strength a topic starts at each time it is mentioned.</p>
      </div>
    </Dialog>
  )
}

function MergeDialog({
  topic,
  topics,
  actions,
  onClose,
}: TopicDialogProps & { readonly topics: readonly Topic[] }) {
  const others = topics.filter(({ id }) => id !== topic.id)
  const [chosen, setChosen] = useState(others[0]?.id)
  const id = useId()
  const into = others.find((other) => other.id === chosen)
  return (
    <Dialog
      title={`Merge “${topic.title}”`}
      action="Merge"
      isReady={into !== undefined}
      onSubmit={() => into !== undefined && void actions.merge(into, topic)}
      onClose={onClose}
    >
      <div className="field">
        <label className="field-label" htmlFor={id}>
          Move all its messages to
        </label>
        <select id={id} className="input" value={chosen} onChange={(event) => setChosen(event.target.value)}>
          {others.map((other) => (
            <option key={other.id} value={other.id}>
              {other.title}
            </option>
          ))}
        </select>
        <p className="field-hint">You can split them again later.</p>
      </div>
    </Dialog>
  )
}
