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

type Asked = 'title' | 'tags' | 'importance' | 'merge'

export function TopicMenu({ topic, topics, actions }: TopicMenuProps) {
  const [asked, setAsked] = useState<Asked | undefined>()
  const close = () => setAsked(undefined)
  return (
    <>
      <Menu
        label={`What to do with “${topic.title}”`}
        className="icon-button icon-button-small"
        button={<Icon name="more" size={16} />}
      >
        {() => (
          <>
            <MenuItem icon="pin" onChoose={() => void actions.change(topic, { isPinned: !topic.isPinned })}>
              {topic.isPinned ? 'Unpin' : 'Pin: never archive it'}
            </MenuItem>
            {topic.state !== 'current' && (
              <MenuItem icon="refresh" onChoose={() => void actions.restore(topic)}>
                Bring back to full strength
              </MenuItem>
            )}
            <MenuItem icon="edit" onChoose={() => setAsked('title')}>
              Rename
            </MenuItem>
            <MenuItem icon="tag" onChoose={() => setAsked('tags')}>
              Tags
            </MenuItem>
            <MenuItem icon="bolt" onChoose={() => setAsked('importance')}>
              Importance
            </MenuItem>
            {topics.length > 1 && (
              <MenuItem icon="fork" onChoose={() => setAsked('merge')}>
                Merge with another
              </MenuItem>
            )}
          </>
        )}
      </Menu>
      {asked === 'title' && <TitleDialog topic={topic} actions={actions} onClose={close} />}
      {asked === 'tags' && <TagTopicDialog topic={topic} actions={actions} onClose={close} />}
      {asked === 'importance' && <ImportanceDialog topic={topic} actions={actions} onClose={close} />}
      {asked === 'merge' && <MergeDialog topic={topic} topics={topics} actions={actions} onClose={close} />}
    </>
  )
}
