// The few browser APIs that the hooks use. Each may be missing: during server-side rendering, in a worker, in
// a test, or if the browser's settings forbid storage.

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

/** False during server-side rendering. */
export const isBrowser: boolean = browser.document !== undefined

/** Undefined if storage is missing or forbidden. */
export function findStorage(): Storage | undefined {
  try {
    return browser.localStorage
  } catch {
    // Accessing it throws if the user forbids storage; then nothing survives a reload.
    return undefined
  }
}

/** Calls back when the page may go away: hidden, closed or left. Returns a function that unsubscribes. */
export function onPageHide(listener: Listener): Listener {
  const { document } = browser
  const whenHidden = () => {
    if (document?.visibilityState === 'hidden') listener()
  }
  // Phones that put the browser in the background don't send `pagehide`.
  document?.addEventListener('visibilitychange', whenHidden)
  browser.addEventListener?.('pagehide', listener)
  return () => {
    document?.removeEventListener('visibilitychange', whenHidden)
    browser.removeEventListener?.('pagehide', listener)
  }
}

/** Calls back when a retry is worthwhile: the page is visible again, or the network is back. */
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

/** Also true without a document. */
export const isVisible = (): boolean => browser.document?.visibilityState !== 'hidden'

/** Calls back when the page becomes visible or hidden. Returns a function that unsubscribes. */
export function onVisibility(listener: Listener): Listener {
  browser.document?.addEventListener('visibilitychange', listener)
  return () => browser.document?.removeEventListener('visibilitychange', listener)
}

/** Not `crypto.randomUUID`: it is missing on pages served over plain HTTP from another machine. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The element properties that are used: without the DOM library, React's types don't have them. */
interface ScrollBox {
  scrollTop: number
  readonly scrollHeight: number
  readonly clientHeight: number
}

export const scrollBoxOf = (element: unknown): ScrollBox => element as ScrollBox
export const textOf = (field: unknown): string => (field as { readonly value: string }).value
export const isOpen = (details: unknown): boolean => (details as { readonly open: boolean }).open
export const focusOn = (element: unknown): void => (element as { focus(): void } | null)?.focus()
/** During IME composition, Enter selects a candidate. */
export const isComposing = (event: unknown): boolean =>
  (event as { readonly isComposing?: boolean }).isComposing === true
