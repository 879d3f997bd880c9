import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { RecollectProvider } from 'recollect/react'
import { client } from './api/client.ts'
import { followServer } from './api/follow.ts'
import { loadPart } from './api/load-part.ts'
import { ChatPage } from './features/chat/chat-page.tsx'
import { keepListFresh } from './features/conversations/conversation-list.ts'
import { Sidebar } from './features/conversations/sidebar.tsx'
import { ConnectionNotice } from './features/shell/connection-notice.tsx'
import { Drawer } from './features/shell/drawer.tsx'
import { MissingPage } from './features/shell/missing-page.tsx'
import { PageBoundary } from './features/shell/page-boundary.tsx'
import { ShellContext } from './features/shell/shell-context.ts'
import { useShortcuts } from './features/shell/use-shortcuts.ts'
import { type Place, usePlace } from './router.tsx'
import { Toasts } from './ui/toasts.tsx'
import './features/shell/shell.css'

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
