// Short messages at the bottom of the window: what was done, how to undo it, and what failed.

import { useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { IconButton } from './button.tsx'

interface Toast {
  readonly id: number
  readonly text: string
  readonly action?: { readonly label: string; readonly run: () => void }
}

interface ToastOptions {
  readonly action?: Toast['action']
  readonly durationMs?: number
}

/** Long enough to read, and to reach for the button. */
const DURATION_MS = 6000
const MOST = 3

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function setToasts(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

/** Shows a message for a while. Returns a function that removes it. */
export function showToast(text: string, { action, durationMs = DURATION_MS }: ToastOptions = {}): () => void {
  lastId += 1
  const id = lastId
  const remove = () => setToasts(toasts.filter((toast) => toast.id !== id))
  setToasts([...toasts, { id, text, ...(action && { action }) }].slice(-MOST))
  setTimeout(remove, durationMs)
  return remove
}

/** "Couldn’t export: the server can’t be reached" */
export const showError = (failure: string, error: unknown): void => {
  showToast(`${failure}: ${error instanceof Error ? error.message : String(error)}`)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return createPortal(
    <div className="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text, action }) => {
        const remove = () => setToasts(toasts.filter((toast) => toast.id !== id))
        return (
          <div key={id} className="toast">
            <span className="toast-text">{text}</span>
            {action && (
              <button
                type="button"
                onClick={() => {
                  remove()
                  action.run()
                }}
              >
                {action.label}
              </button>
            )}
            <IconButton icon="close" label="Dismiss" isSmall className="toast-close" onClick={remove} />
          </div>
        )
      })}
    </div>,
    document.body,
  )
}
