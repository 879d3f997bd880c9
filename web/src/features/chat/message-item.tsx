import { memo, useState } from 'react'
import type { ShownMessage } from 'recollect/react'
import { formatDay, formatMoment, formatTime } from '../../format.ts'
import { Icon } from '../../ui/icon.tsx'
import { EditForm } from './edit-form.tsx'
import { MessageActions } from './message-actions.tsx'
import { MessageBody } from './message-body.tsx'
import type { MessageItemProps } from './message-item-props.ts'

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
