// The few parts of a browser that the hooks use. Each may be missing: while a server renders, in a worker, in a test,
// or where a browser's settings forbid storage.

interface Storage {
  readonly length: number
  key(index: number): string | null
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

type Listener = () => void

interface Listened {
  addEventListener(type: string, listener: Listener): void
  removeEventListener(type: string, listener: Listener): void
}

interface Browser extends Listened {
  readonly localStorage: Storage
  readonly document: Listened & { readonly visibilityState: 'visible' | 'hidden' }
}

const browser = globalThis as unknown as Partial<Browser>

/** False while a server renders. */
export const isBrowser: boolean = browser.document !== undefined

/** Undefined where there is none, or where it may not be used. */
export function findStorage(): Storage | undefined {
  try {
    return browser.localStorage
  } catch {
    // Looking at it throws where the user forbids storage; then nothing outlives the page.
    return undefined
  }
}

/** Calls back when the page may go away: hidden, closed, left. Returns how to end it. */
export function onPageHide(listener: Listener): Listener {
  const { document } = browser
  const whenHidden = () => {
    if (document?.visibilityState === 'hidden') listener()
  }
  // `pagehide` alone is not sent by phones that put a browser away.
  document?.addEventListener('visibilitychange', whenHidden)
  browser.addEventListener?.('pagehide', listener)
  return () => {
    document?.removeEventListener('visibilitychange', whenHidden)
    browser.removeEventListener?.('pagehide', listener)
  }
}

/** Calls back when it is worth asking the server again: the page is seen again, the network is back. */
export function onReturn(listener: Listener): Listener {
  const { document } = browser
  const whenVisible = () => {
    if (document?.visibilityState === 'visible') listener()
  }
  document?.addEventListener('visibilitychange', whenVisible)
  browser.addEventListener?.('online', listener)
  return () => {
    document?.removeEventListener('visibilitychange', whenVisible)
    browser.removeEventListener?.('online', listener)
  }
}

/** True as well where there is nothing to see. */
export const isVisible = (): boolean => browser.document?.visibilityState !== 'hidden'

/** Calls back when the page comes into sight or goes out of it. Returns how to end it. */
export function onVisibility(listener: Listener): Listener {
  browser.document?.addEventListener('visibilitychange', listener)
  return () => browser.document?.removeEventListener('visibilitychange', listener)
}

/** Not `crypto.randomUUID`: pages that come over plain HTTP from another machine have none. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The parts of elements that are used: React's types know no more of them where there is no DOM library. */
interface ScrollBox {
  scrollTop: number
  readonly scrollHeight: number
  readonly clientHeight: number
}

export const scrollBoxOf = (element: unknown): ScrollBox => element as ScrollBox
export const textOf = (field: unknown): string => (field as { readonly value: string }).value
export const isOpen = (details: unknown): boolean => (details as { readonly open: boolean }).open
export const focusOn = (element: unknown): void => (element as { focus(): void } | null)?.focus()
/** While letters are put together, Enter chooses one of them. */
export const isComposing = (event: unknown): boolean =>
  (event as { readonly isComposing?: boolean }).isComposing === true
