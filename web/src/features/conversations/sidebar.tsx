import { useEffect, useState } from 'react'
import type { WireConversation } from 'recollect/react'
import { client } from '../../api/client.ts'
import { plural } from '../../format.ts'
import { Link, navigate, type Place } from '../../router.tsx'
import { useStore } from '../../store.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { chooseTheme, type Theme, useTheme } from '../../ui/theme.ts'
import { chooseShelf, conversationList } from './conversation-list.ts'
import { ConversationRow } from './conversation-row.tsx'
import { ConversationRows } from './conversation-rows.tsx'
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

const THEMES: readonly { readonly theme: Theme; readonly icon: IconName; readonly text: string }[] = [
  { theme: 'system', icon: 'system', text: 'System' },
  { theme: 'light', icon: 'sun', text: 'Light' },
  { theme: 'dark', icon: 'moon', text: 'Dark' },
]

function ThemeMenu() {
  const chosen = useTheme()
  const { icon } = THEMES.find(({ theme }) => theme === chosen) ?? { icon: 'system' as const }
  return (
    <Menu label="Theme" className="icon-button sidebar-theme" button={<Icon name={icon} />}>
      {() =>
        THEMES.map(({ theme, icon: own, text }) => (
          <MenuItem key={theme} icon={own} isChecked={theme === chosen} onChoose={() => chooseTheme(theme)}>
            {text}
          </MenuItem>
        ))
      }
    </Menu>
  )
}

interface FoundConversationsProps {
  readonly words: string
  readonly openId: string | undefined
  readonly onLeave: () => void
}

/** Debounce while typing; too short to notice. */
const PAUSE_MS = 150

function FoundConversations({ words, openId, onLeave }: FoundConversationsProps) {
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
