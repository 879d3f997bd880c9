import { createContext, use } from 'react'

interface Shell {
  /** Shows the sidebar on narrow screens. */
  readonly openDrawer: () => void
  readonly search: () => void
}

export const ShellContext = createContext<Shell>({ openDrawer: () => undefined, search: () => undefined })

export const useShell = (): Shell => use(ShellContext)
