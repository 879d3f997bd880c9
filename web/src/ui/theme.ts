import { useSyncExternalStore } from 'react'
import { localValues } from '../browser-storage.ts'

export type Theme = 'system' | 'light' | 'dark'

const KEY = 'theme'
const listeners = new Set<() => void>()

function readTheme(): Theme {
  const chosen = localValues.get(KEY)
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system'
}

/** /theme.js reads the same key before the first paint. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') localValues.remove(KEY)
  else localValues.set(KEY, theme)
  show()
}

function show(): void {
  const theme = readTheme()
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  for (const listener of listeners) listener()
}

// Changed in another tab.
addEventListener('storage', ({ key }) => key?.endsWith(KEY) === true && show())

const system = matchMedia('(prefers-color-scheme: dark)')

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  system.addEventListener('change', listener)
  return () => {
    listeners.delete(listener)
    system.removeEventListener('change', listener)
  }
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, readTheme)

/** Whether the dark theme is in effect, for canvas drawing that CSS can't style. */
export const useIsDark = (): boolean =>
  useSyncExternalStore(subscribe, () => {
    const theme = readTheme()
    return theme === 'system' ? system.matches : theme === 'dark'
  })
