import { createContext, type ReactNode, use } from 'react'
import { IconButton } from '../../ui/button.tsx'

interface TopBarProps {
  readonly title: ReactNode
  readonly children?: ReactNode
}

/** The header of every page: its title and actions. */
export function TopBar({ title, children }: TopBarProps) {
  const { openDrawer } = useShell()
  return (
    <header className="top-bar">
      <IconButton icon="menu" label="Chats and pages" className="top-bar-menu" onClick={openDrawer} />
      <div className="top-bar-title">{title}</div>
      <div className="top-bar-actions">{children}</div>
    </header>
  )
}

interface Shell {
  /** Shows the sidebar on narrow screens. */
  readonly openDrawer: () => void
  readonly search: () => void
}

export const ShellContext = createContext<Shell>({ openDrawer: () => undefined, search: () => undefined })

const useShell = (): Shell => use(ShellContext)
