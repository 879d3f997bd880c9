import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'

interface EditFormProps {
  readonly text: string
  readonly onSend: (text: string) => void
  readonly onCancel: () => void
}

export function EditForm({ text, onSend, onCancel }: EditFormProps) {
  const [words, setWords] = useState(text)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const isReady = words.trim() !== ''
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onCancel()
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || !isReady) return
    event.preventDefault()
    onSend(words.trim())
  }
  return (
    <div className="edit-form">
      <textarea
        ref={field}
        aria-label="Edit the message"
        value={words}
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={press}
      />
      <div className="edit-form-foot">
        <p className="field-hint">It goes on in a fork; this chat stays as it is.</p>
        <Button isSmall look="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <Button isSmall look="primary" disabled={!isReady} onClick={() => onSend(words.trim())}>
          Send
        </Button>
      </div>
    </div>
  )
}
