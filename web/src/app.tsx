import { Component, lazy, type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { RecollectProvider } from 'recollect/react'
import { client } from './api/client.ts'
import { loadPart } from './api/connection.ts'
import { followServer } from './api/tabs.ts'
import { ConversationView } from './features/chat/conversation-view.tsx'
import { NewChat } from './features/chat/new-chat.tsx'
import { keepListFresh } from './features/conversations/conversation-list.ts'
import { Sidebar } from './features/conversations/sidebar.tsx'
import { ConnectionNotice } from './features/shell/connection-notice.tsx'
import { Drawer } from './features/shell/drawer.tsx'
import { MissingPage } from './features/shell/missing-page.tsx'
import { ShellContext } from './features/shell/top-bar.tsx'
import { navigate, type Place, usePlace } from './router.tsx'
import { Button } from './ui/button.tsx'
import { Icon } from './ui/icon.tsx'
import { Toasts } from './ui/toasts.tsx'
import './features/shell/shell.css'
import './features/chat/chat.css'

const TopicsPage = lazy(async () => ({
  default: (await loadPart(() => import('./features/topics/topics-page.tsx'))).TopicsPage,
}))
const MemoryPage = lazy(async () => ({
  default: (await loadPart(() => import('./features/memory/memory-page.tsx'))).MemoryPage,
}))
const AnalyticsPage = lazy(async () => ({
  default: (await loadPart(() => import('./features/analytics/analytics-page.tsx'))).AnalyticsPage,
}))
const ImportPage = lazy(async () => ({
  default: (await loadPart(() => import('./features/import/import-page.tsx'))).ImportPage,
}))
const SettingsPage = lazy(async () => ({
  default: (await loadPart(() => import('./features/settings/settings-page.tsx'))).SettingsPage,
}))
const SearchDialog = lazy(async () => ({
  default: (await loadPart(() => import('./features/search/search-dialog.tsx'))).SearchDialog,
}))

export function App() {
  const place = usePlace()
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  const [isSearching, setSearching] = useState(false)
  const search = useCallback(() => {
    setDrawerOpen(false)
    setSearching(true)
  }, [])
  const closeDrawer = useCallback(() => setDrawerOpen(false), [])
  useEffect(keepListFresh, [])
  useEffect(followServer, [])
  useShortcuts(search)
  const sidebar = <Sidebar place={place} onSearch={search} onLeave={closeDrawer} />
  return (
    <RecollectProvider client={client}>
      <ShellContext value={{ openDrawer: () => setDrawerOpen(true), search }}>
        <a className="skip-link" href="#main">
          Skip to content
        </a>
        <div className="shell">
          <div className="shell-side">{sidebar}</div>
          {isDrawerOpen && (
            <Drawer label="Chats and pages" onClose={closeDrawer}>
              {sidebar}
            </Drawer>
          )}
          <div className="shell-main">
            <ConnectionNotice />
            <Main place={place} />
          </div>
        </div>
        {isSearching && (
          <Suspense fallback={null}>
            <SearchDialog conversationId={place.conversationId} onClose={() => setSearching(false)} />
          </Suspense>
        )}
        <Toasts />
      </ShellContext>
    </RecollectProvider>
  )
}

function Main({ place }: { readonly place: Place }) {
  const main = useRef<HTMLElement>(null)
  return (
    <main id="main" ref={main} className="shell-page" tabIndex={-1}>
      <PageBoundary key={`${place.page} ${place.conversationId ?? ''}`}>
        <Suspense fallback={<div className="page-waiting" role="status" aria-label="Loading" />}>
          <Page place={place} />
        </Suspense>
      </PageBoundary>
    </main>
  )
}

function Page({ place }: { readonly place: Place }) {
  const { page, conversationId } = place
  if (page === 'chat') return <ChatPage place={place} />
  if (page === 'topics' && conversationId !== undefined) return <TopicsPage conversationId={conversationId} />
  if (page === 'memory') return <MemoryPage part={place.part} />
  if (page === 'analytics') return <AnalyticsPage />
  if (page === 'import') return <ImportPage />
  if (page === 'settings') return <SettingsPage />
  return <MissingPage />
}

function ChatPage({ place }: { readonly place: Place }) {
  const { conversationId, messageId, isIncognito = false } = place
  if (conversationId === undefined) return <NewChat isIncognito={isIncognito} />
  return <ConversationView conversationId={conversationId} messageId={messageId} />
}

const nameOf = ({ ctrlKey, metaKey, altKey, shiftKey, key }: KeyboardEvent): string => {
  const isCommand = (ctrlKey || metaKey) && !altKey
  return isCommand ? `${shiftKey ? 'shift ' : ''}${key.toLowerCase()}` : ''
}

/** Ctrl/Cmd+K opens the search, Ctrl/Cmd+Shift+O starts a chat. */
function useShortcuts(search: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const work = { k: search, 'shift o': () => navigate('/') }[nameOf(event)]
      if (work === undefined) return
      event.preventDefault()
      work()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [search])
}

interface State {
  readonly error?: Error
}

/** Contains errors to the page in which they happen; the rest of the app keeps working. */
class PageBoundary extends Component<{ readonly children: ReactNode }, State> {
  override readonly state: State = {}

  static getDerivedStateFromError(error: Error): State {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return (
      <div className="empty" role="alert">
        <Icon name="warn" size={32} />
        <h1 className="empty-title">Something went wrong</h1>
        <p>{error.message}</p>
        <Button icon="refresh" onClick={() => location.reload()}>
          Reload
        </Button>
      </div>
    )
  }
}
