import { type ReactNode, useEffect, useRef } from 'react'

interface DrawerProps {
  readonly label: string
  readonly side?: 'left' | 'right'
  readonly children: ReactNode
  readonly onClose: () => void
}

/** A panel that slides over the page, for content that sits beside it on wide screens. */
export function Drawer({ label, side = 'left', children, onClose }: DrawerProps) {
  const drawer = useRef<HTMLDialogElement>(null)
  useEffect(() => drawer.current?.showModal(), [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it already
    <dialog
      ref={drawer}
      className={`drawer drawer-${side}`}
      aria-label={label}
      onClose={onClose}
      onClick={(event) => event.target === drawer.current && drawer.current.close()}
    >
      {children}
    </dialog>
  )
}
