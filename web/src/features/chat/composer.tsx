import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { localValues } from '../../browser-storage.ts'
import { Icon } from '../../ui/icon.tsx'

interface ComposerProps {
  /** The key under which the draft is stored. */
  readonly draftName: string
  readonly isBusy: boolean
  readonly placeholder?: string
  readonly children?: ReactNode
  readonly onSend: (text: string) => void
  readonly onStop?: () => void
}

export function Composer(props: ComposerProps) {
  const { draftName, isBusy, placeholder = 'Message…', children, onSend, onStop } = props
  const [text, setText] = useDraft(draftName)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    // On a phone, focusing would open the keyboard uninvited.
    if (matchMedia('(pointer: fine)').matches) field.current?.focus({ preventScroll: true })
  }, [])
  const isReady = text.trim() !== '' && !isBusy
  const send = () => {
    if (!isReady) return
    onSend(text.trim())
    setText('')
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <div className="composer">
      <textarea
        ref={field}
        rows={1}
        aria-label="Message"
        placeholder={placeholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={press}
      />
      <div className="composer-foot">
        <div className="composer-tools">{children}</div>
        {isBusy ? (
          <button type="button" className="send-button" aria-label="Stop" title="Stop" onClick={onStop}>
            <Icon name="stop" size={16} />
          </button>
        ) : (
          <button
            type="button"
            className="send-button"
            aria-label="Send"
            title="Send"
            disabled={!isReady}
            onClick={send}
          >
            <Icon name="send" />
          </button>
        )}
      </div>
    </div>
  )
}

/** Unsent text survives a reload and appears in tabs opened later. */
function useDraft(name: string): readonly [string, (text: string) => void] {
  const key = `draft.${name}`
  const [text, setText] = useState(() => localValues.get(key) ?? '')
  const change = (next: string) => {
    setText(next)
    if (next === '') localValues.remove(key)
    else localValues.set(key, next)
  }
  return [text, change]
}
