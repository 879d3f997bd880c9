import { useState } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import type { Topic } from './topic.ts'
import type { TopicActions } from './topic-actions.ts'
import { ImportanceDialog, MergeDialog, TagTopicDialog, TitleDialog } from './topic-dialogs.tsx'

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
