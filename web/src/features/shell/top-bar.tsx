import type { ReactNode } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { useShell } from './shell-context.ts'

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
