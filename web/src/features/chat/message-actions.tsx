import { copyText } from '../../api/copy-text.ts'
import { formatMoment, formatTime } from '../../format.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { forkConversation } from '../conversations/fork-conversation.ts'
import { VerdictButtons } from '../feedback/verdict-buttons.tsx'
import type { MessageItemProps } from './message-item-props.ts'

interface MessageActionsProps extends MessageItemProps {
  readonly onBeginEdit: () => void
}

export function MessageActions(props: MessageActionsProps) {
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
