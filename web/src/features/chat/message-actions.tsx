import { useState } from 'react'
import { client } from '../../api/client.ts'
import { copyText } from '../../api/copy-text.ts'
import { formatMoment, formatTime } from '../../format.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { forkConversation } from '../conversations/fork-conversation.ts'
import type { MessageItemProps } from './message-item-props.ts'

interface MessageActionsProps extends MessageItemProps {
  readonly onBeginEdit: () => void
}

export function MessageActions(props: MessageActionsProps) {
  const { message, conversationId, onBeginEdit, onRegenerate, isLast } = props
  const { id, role, text, state, createdAt } = message
  const isKept = message.position !== undefined
  if (role === 'system' || role === 'tool' || state === 'answering' || !isKept) return null
  return (
    <div className={isLast ? 'message-actions message-actions-shown' : 'message-actions'}>
      {role === 'assistant' && <WhyButton {...props} />}
      <IconButton icon="copy" label="Copy" isSmall onClick={() => void copyText(text)} />
      {role === 'user' && (
        <IconButton icon="edit" label="Edit and send again" isSmall onClick={onBeginEdit} />
      )}
      {role === 'assistant' && (
        <IconButton icon="refresh" label="Answer anew" isSmall onClick={() => onRegenerate(id)} />
      )}
      <IconButton
        icon="fork"
        label="Fork from here"
        isSmall
        onClick={() => void forkConversation({ id: conversationId }, id)}
      />
      {role === 'assistant' && <Verdict messageId={id} />}
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
      <Icon name="known" size={15} />
      Why this answer
    </button>
  )
}

type Given = 'helpful' | 'not-helpful'

/** A second click takes it back. */
function Verdict({ messageId }: { readonly messageId: string }) {
  const [given, setGiven] = useState<Given | undefined>()
  const give = async (verdict: Given) => {
    const before = given
    const item = { kind: 'message', id: messageId } as const
    setGiven(before === verdict ? undefined : verdict)
    try {
      if (before !== undefined) await client.feedback.undo(item)
      if (before !== verdict) await client.feedback.give(item, verdict)
    } catch (error) {
      setGiven(before)
      showToast(`That could not be kept: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return (
    <>
      <IconButton
        icon="thumbUp"
        label="Helpful"
        isSmall
        aria-pressed={given === 'helpful'}
        onClick={() => void give('helpful')}
      />
      <IconButton
        icon="thumbDown"
        label="Not helpful"
        isSmall
        aria-pressed={given === 'not-helpful'}
        onClick={() => void give('not-helpful')}
      />
    </>
  )
}
