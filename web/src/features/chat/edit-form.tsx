import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'

interface EditFormProps {
  readonly text: string
  readonly onSend: (text: string) => void
  readonly onCancel: () => void
}

export function EditForm({ text, onSend, onCancel }: EditFormProps) {
  const [draft, setDraft] = useState(text)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const isReady = draft.trim() !== ''
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onCancel()
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || !isReady) return
    event.preventDefault()
    onSend(draft.trim())
  }
  return (
    <div className="edit-form">
      <textarea
        ref={field}
        aria-label="Edit message"
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={press}
      />
      <div className="edit-form-foot">
        <p className="field-hint">Continues in a fork. This chat stays unchanged.</p>
        <Button isSmall look="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <Button isSmall look="primary" disabled={!isReady} onClick={() => onSend(draft.trim())}>
          Send
        </Button>
      </div>
    </div>
  )
}
