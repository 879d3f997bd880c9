import { useSyncExternalStore } from 'react'
import { kept } from '../kept.ts'

export type Theme = 'system' | 'light' | 'dark'

const KEY = 'theme'
const listeners = new Set<() => void>()

function readTheme(): Theme {
  const chosen = kept.get(KEY)
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system'
}

/** Read before the first paint by /theme.js, which knows the same name. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') kept.remove(KEY)
  else kept.set(KEY, theme)
  show()
}

function show(): void {
  const theme = readTheme()
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  for (const listener of listeners) listener()
}

// Another tab chose.
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

/** What is seen: for what is painted, not styled. */
export const useIsDark = (): boolean =>
  useSyncExternalStore(subscribe, () => {
    const theme = readTheme()
    return theme === 'system' ? system.matches : theme === 'dark'
  })
