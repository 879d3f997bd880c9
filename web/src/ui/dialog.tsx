import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { Button } from './button.tsx'

interface DialogProps {
  readonly title: string
  readonly children: ReactNode
  readonly action: string
  readonly isDanger?: boolean
  readonly isReady?: boolean
  readonly onSubmit: () => void
  readonly onClose: () => void
}

/** A modal form. Escape or a click outside closes it. */
export function Dialog(props: DialogProps) {
  const { title, children, action, isDanger = false, isReady = true, onSubmit, onClose } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => dialog.current?.showModal(), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isReady) return
    dialog.current?.close()
    onSubmit()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it already
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={id}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && dialog.current.close()}
    >
      <form className="dialog-form" onSubmit={submit}>
        <h2 id={id} className="dialog-title">
          {title}
        </h2>
        {children}
        <div className="dialog-actions">
          <Button look="quiet" onClick={() => dialog.current?.close()}>
            Cancel
          </Button>
          <Button type="submit" look={isDanger ? 'danger' : 'primary'} disabled={!isReady}>
            {action}
          </Button>
        </div>
      </form>
    </dialog>
  )
}
