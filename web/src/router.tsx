// Maps the URL to a page. Links are real anchors, so they can be copied and opened in new tabs.

import { type AnchorHTMLAttributes, type MouseEvent, type ReactNode, useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('popstate', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('popstate', listener)
  }
}

/** Path and hash as one string, which changes with either. */
const address = () => location.pathname + location.hash

export function navigate(to: string, { isReplacing = false } = {}): void {
  if (to === address()) return
  if (isReplacing) history.replaceState(null, '', to)
  else history.pushState(null, '', to)
  for (const listener of listeners) listener()
}

export interface Place {
  readonly page: 'chat' | 'topics' | 'memory' | 'analytics' | 'import' | 'settings' | 'missing'
  readonly conversationId?: string
  /** A tab of a page: `entities` in `/memory/entities`. */
  readonly part?: string
  /** The message to show: `#m-…`. */
  readonly messageId?: string
  /** A new chat without memory: `/#incognito`. */
  readonly isIncognito?: true
}

export function usePlace(): Place {
  return toPlace(useSyncExternalStore(subscribe, address))
}

const PAGES = ['memory', 'analytics', 'import', 'settings'] as const

export function toPlace(text: string): Place {
  const [path = '/', hash = ''] = text.split('#')
  const [first = '', second, third] = path.split('/').slice(1).map(decode)
  if (first === '') return { page: 'chat', ...(hash === 'incognito' && { isIncognito: true as const }) }
  if (first === 'c' && second !== undefined && second !== '') {
    const messageId = hash.startsWith('m-') ? decode(hash.slice(2)) : undefined
    const page = third === 'topics' ? 'topics' : 'chat'
    return { page, conversationId: second, ...(messageId !== undefined && { messageId }) }
  }
  // `/known` is the old path of the memory page.
  const page = PAGES.find((name) => name === (first === 'known' ? 'memory' : first))
  return page === undefined ? { page: 'missing' } : { page, ...(second && { part: second }) }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // Malformed escape: used as typed, and not found.
  }
}

export function addressOf(conversationId: string, messageId?: string): string {
  const hash = messageId === undefined ? '' : `#m-${encodeURIComponent(messageId)}`
  return `/c/${encodeURIComponent(conversationId)}${hash}`
}

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly to: string
  readonly children: ReactNode
}

export function Link({ to, children, onClick, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (event.defaultPrevented || !isPlain) return
    event.preventDefault()
    navigate(to)
  }
  return (
    <a {...rest} href={to} onClick={follow}>
      {children}
    </a>
  )
}
