'use client'

import { ChatSidebar, usePageContext } from 'recollect/react'

const FILE = { id: 'sales-2026', name: 'sales-2026.csv' }

export function SalesPage() {
  const { context, setActiveFile, setPreference } = usePageContext('sales')
  const isOpen = context?.activeFile?.id === FILE.id
  return (
    <div className="layout">
      <main>
        <h1>Sales</h1>
        <p>
          <button
            type="button"
            disabled={context === undefined}
            onClick={() => setActiveFile(isOpen ? null : FILE)}
          >
            {isOpen ? `Close ${FILE.name}` : `Open ${FILE.name}`}
          </button>
        </p>
        <label>
          Currency{' '}
          <select
            value={String(context?.preferences['currency'] ?? 'EUR')}
            disabled={context === undefined}
            onChange={(event) => setPreference('currency', event.target.value)}
          >
            <option>EUR</option>
            <option>USD</option>
          </select>
        </label>
      </main>
      <ChatSidebar conversationId="sales-chat" pageId="sales" labels={{ title: 'Ask about sales' }} />
    </div>
  )
}
