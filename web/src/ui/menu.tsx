// A button that opens a menu. The menu is a popover: Escape or a click outside closes it and returns focus to the
// button.

import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { Icon, type IconName } from './icon.tsx'

interface MenuProps {
  readonly label: string
  /** The content of the button. */
  readonly button: ReactNode
  readonly className?: string
  /** Rendered only while the menu is open. */
  readonly children: () => ReactNode
}

export function Menu({ label, button, className = 'icon-button', children }: MenuProps) {
  const id = useId()
  const opener = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const open = () => {
    setOpen(true)
    requestAnimationFrame(() => {
      if (list.current === null || opener.current === null) return
      list.current.showPopover()
      placeBeside(list.current, opener.current)
      list.current.querySelector<HTMLElement>('[role^=menuitem]')?.focus()
    })
  }
  return (
    <>
      <button
        ref={opener}
        type="button"
        className={className}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={(event) => {
          event.stopPropagation()
          event.preventDefault()
          if (!isOpen) open()
        }}
      >
        {button}
      </button>
      {isOpen && (
        <div
          ref={list}
          id={id}
          role="menu"
          tabIndex={-1}
          aria-label={label}
          popover="auto"
          className="menu"
          onToggle={(event) => event.newState === 'closed' && setOpen(false)}
          onKeyDown={moveByKeys}
          onClick={() => list.current?.hidePopover()}
        >
          {children()}
        </div>
      )}
    </>
  )
}

function moveByKeys(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role^=menuitem]')]
  const at = items.indexOf(document.activeElement as HTMLElement)
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key]
  if (event.key === 'Tab') event.currentTarget.hidePopover()
  if (to === undefined) return
  event.preventDefault()
  items.at(to % items.length)?.focus()
}

interface MenuItemProps {
  readonly icon: IconName
  readonly children: ReactNode
  readonly isDanger?: boolean
  readonly isChecked?: boolean
  readonly onChoose: () => void
}

export function MenuItem({ icon, children, isDanger = false, isChecked, onChoose }: MenuItemProps) {
  return (
    <button
      type="button"
      {...(isChecked === undefined
        ? { role: 'menuitem' }
        : { role: 'menuitemradio', 'aria-checked': isChecked })}
      className={isDanger ? 'menu-item menu-item-danger' : 'menu-item'}
      onClick={onChoose}
    >
      <Icon name={isChecked === true ? 'check' : icon} />
      {children}
    </button>
  )
}

const GAP_PX = 6
const EDGE_PX = 8

/** Places a floating element below its button, or above if there is more room, within the window. */
function placeBeside(floating: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = floating
  const below = innerHeight - at.bottom - GAP_PX
  const top = below >= height || below >= at.top ? at.bottom + GAP_PX : at.top - GAP_PX - height
  const left = at.left + width > innerWidth - EDGE_PX ? at.right - width : at.left
  floating.style.top = `${clamp(top, innerHeight - height)}px`
  floating.style.left = `${clamp(left, innerWidth - width)}px`
}

const clamp = (place: number, most: number): number => Math.max(EDGE_PX, Math.min(place, most - EDGE_PX))
