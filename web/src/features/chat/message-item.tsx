import { type KeyboardEvent, memo, useEffect, useRef, useState } from 'react'
import type { ShownMessage } from 'recollect/react'
import { copyText } from '../../api/copy-text.ts'
import { formatDay, formatMoment, formatTime } from '../../format.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { forkConversation } from '../conversations/fork-conversation.ts'
import { VerdictButtons } from '../feedback/verdict-buttons.tsx'
import { MessageBody } from './message-body.tsx'

export const MessageItem = memo((props: MessageItemProps) => {
  const { message, isLit, previousAt, onEdit } = props
  const [isEditing, setEditing] = useState(false)
  const { role, createdAt, state } = message
  const isNewDay = previousAt === undefined || formatDay(previousAt) !== formatDay(createdAt)
  const names = ['message', `message-${role}`, isLit && 'message-lit', state !== 'kept' && `message-${state}`]
  return (
    <>
      {isNewDay && (
        <p className="day-line">
          <span>{dayName(createdAt)}</span>
        </p>
      )}
      <article className={names.filter(Boolean).join(' ')} aria-label={labelOf(message)}>
        {isEditing ? (
          <EditForm
            text={message.text}
            onCancel={() => setEditing(false)}
            onSend={(text) => {
              setEditing(false)
              onEdit(message.id, text)
            }}
          />
        ) : (
          <>
            <Head message={message} />
            <MessageBody message={message} />
            <Ending message={message} />
            <MessageActions {...props} onBeginEdit={() => setEditing(true)} />
          </>
        )}
      </article>
    </>
  )
})

function Head({ message: { role, name, isFromMemory, model } }: { readonly message: ShownMessage }) {
  if (role === 'user') return name === undefined ? null : <p className="message-name">{name}</p>
  if (role !== 'assistant') return null
  return (
    <p className="message-name">
      <img src="/favicon.svg" alt="" width={18} height={18} />
      {isFromMemory === true ? 'From memory' : (name ?? model ?? 'Assistant')}
    </p>
  )
}

function Ending({ message: { state } }: { readonly message: ShownMessage }) {
  if (state === 'stopped') return <p className="message-ending">Stopped.</p>
  if (state === 'failed')
    return (
      <p className="message-ending message-ending-failed">
        <Icon name="warn" size={14} />
        The answer was interrupted.
      </p>
    )
  if (state === 'unsent')
    return (
      <p className="message-ending message-ending-failed">
        <Icon name="warn" size={14} />
        Not sent.
      </p>
    )
  if (state === 'erased') return <p className="message-ending">This message was erased.</p>
  return null
}

function dayName(at: string): string {
  const today = formatDay(new Date())
  const yesterday = formatDay(new Date(Date.now() - 86_400_000))
  const day = formatDay(at)
  if (day === today) return 'Today'
  return day === yesterday ? 'Yesterday' : day
}

const ROLES = { user: 'You', assistant: 'Assistant', system: 'Instructions', tool: 'Tool result' } as const

const labelOf = ({ role, name, createdAt }: ShownMessage): string =>
  `${name ?? ROLES[role]}, ${formatTime(createdAt)}, ${formatMoment(createdAt).split(',')[0] ?? ''}`

interface EditFormProps {
  readonly text: string
  readonly onSend: (text: string) => void
  readonly onCancel: () => void
}

function EditForm({ text, onSend, onCancel }: EditFormProps) {
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

interface MessageActionsProps extends MessageItemProps {
  readonly onBeginEdit: () => void
}

function MessageActions(props: MessageActionsProps) {
  const { message, conversationId, onBeginEdit, onRegenerate, isLast } = props
  const { id, role, text, state, createdAt } = message
  const isComplete = message.position !== undefined && state !== 'answering' && state !== 'erased'
  if (role === 'system' || role === 'tool' || !isComplete) return null
  return (
    <div className={isLast ? 'message-actions message-actions-shown' : 'message-actions'}>
      {role === 'assistant' && <WhyButton {...props} />}
      <IconButton icon="copy" label="Copy" isSmall onClick={() => void copyText(text)} />
      {role === 'user' && <IconButton icon="edit" label="Edit and resend" isSmall onClick={onBeginEdit} />}
      {role === 'assistant' && (
        <IconButton icon="refresh" label="Regenerate" isSmall onClick={() => onRegenerate(id)} />
      )}
      <IconButton
        icon="fork"
        label="Fork from here"
        isSmall
        onClick={() => void forkConversation({ id: conversationId }, id)}
      />
      {role === 'assistant' && (
        <VerdictButtons item={{ kind: 'message', id }} helpfulLabel="Helpful" unhelpfulLabel="Not helpful" />
      )}
      <time className="message-time" dateTime={createdAt} title={formatMoment(createdAt)}>
        {formatTime(createdAt)}
      </time>
    </div>
  )
}

function WhyButton({ message: { receiptId }, isWhyShown, onWhy }: MessageActionsProps) {
  if (receiptId === undefined) return null
  return (
    <button type="button" className="why-button" aria-pressed={isWhyShown} onClick={() => onWhy(receiptId)}>
      <Icon name="memory" size={15} />
      Why this answer
    </button>
  )
}

interface MessageItemProps {
  readonly message: ShownMessage
  readonly conversationId: string
  readonly isLit: boolean
  readonly isLast: boolean
  readonly isWhyShown: boolean
  readonly previousAt: string | undefined
  readonly onWhy: (receiptId: string) => void
  readonly onEdit: (messageId: string, text: string) => void
  readonly onRegenerate: (messageId: string) => void
}
