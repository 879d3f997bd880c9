import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { findStorage, focusOn, isComposing, textOf } from '../browser.ts'
import { type UsedConversation, useRecollect } from '../hooks.tsx'
import type { ChatSidebarLabels } from './labels.ts'

interface ComposerProps {
  readonly conversationId: string
  readonly conversation: UsedConversation
  readonly labels: ChatSidebarLabels
  readonly autoFocus: boolean
  readonly onSend: (text: string) => void
  readonly onEscape: () => void
}

/** Enter sends, Shift+Enter inserts a line break, Escape stops the answer or closes the chat. */
export function Composer({ conversationId, conversation, labels, ...more }: ComposerProps): ReactNode {
  const { autoFocus, onSend, onEscape } = more
  const [draft, setDraft] = useDraft(conversationId)
  const field = useRef<HTMLTextAreaElement>(null)
  const isBusy = conversation.status === 'sending' || conversation.status === 'answering'
  useEffect(() => {
    if (autoFocus) focusOn(field.current)
  }, [autoFocus])

  const send = () => {
    const text = draft.trim()
    if (text === '' || isBusy) return
    setDraft('')
    onSend(text)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onEscape()
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event.nativeEvent)) return
    event.preventDefault()
    send()
  }
  return (
    <form
      className="recollect-composer"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <textarea
        ref={field}
        className="recollect-composer-field"
        aria-label={labels.message}
        placeholder={labels.placeholder}
        rows={2}
        value={draft}
        onChange={(event) => setDraft(textOf(event.currentTarget))}
        onKeyDown={press}
      />
      {isBusy ? (
        <button type="button" className="recollect-stop" onClick={conversation.stop}>
          {labels.stop}
        </button>
      ) : (
        <button type="submit" className="recollect-send" disabled={draft.trim() === ''}>
          {labels.send}
        </button>
      )}
    </form>
  )
}

/** The text being written; survives a reload. */
function useDraft(conversationId: string): readonly [string, (text: string) => void] {
  const { name } = useRecollect()
  const key = `recollect draft ${name} ${conversationId}`
  const [drafts, setDrafts] = useState<Readonly<Record<string, string>>>({})
  // Read in an effect: the first render must match the server-rendered output.
  useEffect(() => {
    const left = findStorage()?.getItem(key) ?? ''
    setDrafts((others) => ({ [key]: left, ...others }))
  }, [key])
  const write = useCallback(
    (text: string) => {
      setDrafts((others) => ({ ...others, [key]: text }))
      keepDraft(key, text)
    },
    [key],
  )
  return [drafts[key] ?? '', write]
}

function keepDraft(key: string, text: string): void {
  const storage = findStorage()
  try {
    if (text === '') storage?.removeItem(key)
    else storage?.setItem(key, text)
  } catch {
    // Storage is full: the draft stays in the field, but would not survive a reload.
  }
}
