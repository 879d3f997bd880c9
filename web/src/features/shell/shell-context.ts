import { createContext, use } from 'react'

interface Shell {
  /** Shows the sidebar where it is hidden. */
  readonly openDrawer: () => void
  readonly search: () => void
}

export const ShellContext = createContext<Shell>({ openDrawer: () => undefined, search: () => undefined })

export const useShell = (): Shell => use(ShellContext)
