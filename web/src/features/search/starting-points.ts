import { addressOf } from '../../router.tsx'
import { conversationList } from '../conversations/conversation-list.ts'
import { titleOf } from '../conversations/title-of.ts'
import type { Found } from './found.ts'

const PAGES: readonly Found[] = [
  { key: 'new', group: 'Go to', icon: 'plus', title: 'New chat', to: '/' },
  { key: 'incognito', group: 'Go to', icon: 'ghost', title: 'New chat without memory', to: '/#incognito' },
  { key: 'memory', group: 'Go to', icon: 'memory', title: 'Memory', to: '/memory' },
  { key: 'analytics', group: 'Go to', icon: 'chart', title: 'Analytics', to: '/analytics' },
  { key: 'import', group: 'Go to', icon: 'upload', title: 'Import', to: '/import' },
  { key: 'settings', group: 'Go to', icon: 'settings', title: 'Settings', to: '/settings' },
]

/** Shown before anything is typed: recent chats and pages. */
export function startingPoints(): readonly Found[] {
  const recent = conversationList
    .get()
    .recent.slice(0, 5)
    .map(
      (conversation): Found => ({
        key: `chat ${conversation.id}`,
        group: 'Recent chats',
        icon: 'chat',
        title: titleOf(conversation),
        at: conversation.lastUsedAt,
        to: addressOf(conversation.id),
      }),
    )
  return [...recent, ...PAGES]
}
