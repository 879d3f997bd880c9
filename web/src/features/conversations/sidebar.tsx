import { useState } from 'react'
import { Link, navigate, type Place } from '../../router.tsx'
import { useStore } from '../../store.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { ThemeMenu } from '../shell/theme-menu.tsx'
import { chooseShelf, conversationList } from './conversation-list.ts'
import { ConversationRows } from './conversation-rows.tsx'
import { FoundConversations } from './found-conversations.tsx'
import './sidebar.css'

interface SidebarProps {
  readonly place: Place
  readonly onSearch: () => void
  /** Called when something was chosen, so that the drawer can close. */
  readonly onLeave: () => void
}

export function Sidebar({ place, onSearch, onLeave }: SidebarProps) {
  const [words, setWords] = useState('')
  return (
    <div className="sidebar">
      <div className="sidebar-head">
        <Link to="/" className="brand" onClick={onLeave}>
          <img src="/favicon.svg" alt="" width={26} height={26} />
          Recollect
        </Link>
        <IconButton icon="search" label="Search everything (Ctrl+K)" onClick={onSearch} />
      </div>
      <div className="sidebar-new">
        <Link to="/" className="button button-primary sidebar-new-chat" onClick={onLeave}>
          <Icon name="plus" />
          New chat
        </Link>
        <IconButton
          icon="ghost"
          label="New chat without memory"
          className="sidebar-incognito"
          onClick={() => {
            navigate('/#incognito')
            onLeave()
          }}
        />
      </div>
      <div className="sidebar-find">
        <Icon name="search" size={15} />
        <input
          type="search"
          placeholder="Find a chat"
          aria-label="Find a chat by title or tag"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
        <ShelfMenu />
      </div>
      {words.trim() === '' ? (
        <ConversationRows openId={place.conversationId} onLeave={onLeave} />
      ) : (
        <FoundConversations words={words.trim()} openId={place.conversationId} onLeave={onLeave} />
      )}
      <SidebarLinks place={place} onLeave={onLeave} />
    </div>
  )
}

function ShelfMenu() {
  const { shelf } = useStore(conversationList)
  return (
    <Menu
      label="Filter chats"
      className="icon-button icon-button-small"
      button={<Icon name={shelf === 'active' ? 'list' : 'archive'} size={16} />}
    >
      {() => (
        <>
          <MenuItem icon="chat" isChecked={shelf === 'active'} onChoose={() => chooseShelf('active')}>
            Active chats
          </MenuItem>
          <MenuItem icon="archive" isChecked={shelf === 'archived'} onChoose={() => chooseShelf('archived')}>
            Archived chats
          </MenuItem>
        </>
      )}
    </Menu>
  )
}

const LINKS: readonly { readonly page: Place['page']; readonly icon: IconName; readonly text: string }[] = [
  { page: 'memory', icon: 'memory', text: 'Memory' },
  { page: 'analytics', icon: 'chart', text: 'Analytics' },
  { page: 'import', icon: 'upload', text: 'Import' },
  { page: 'settings', icon: 'settings', text: 'Settings' },
]

function SidebarLinks({ place, onLeave }: Pick<SidebarProps, 'place' | 'onLeave'>) {
  return (
    <nav className="sidebar-links" aria-label="Pages">
      {LINKS.map(({ page, icon, text }) => (
        <Link
          key={page}
          to={`/${page}`}
          className="sidebar-link"
          aria-current={place.page === page ? 'page' : undefined}
          onClick={onLeave}
        >
          <Icon name={icon} />
          {text}
        </Link>
      ))}
      <ThemeMenu />
    </nav>
  )
}
