import type { ReactNode } from 'react'
import type { ShownMessage } from '../live/conversation-view.ts'
import type { ChatSidebarLabels } from './labels.ts'
import { Why } from './why.tsx'

export interface MessageItemProps {
  readonly conversationId: string
  readonly message: ShownMessage
  readonly labels: ChatSidebarLabels
  /** Missing if the answer cannot be regenerated. */
  readonly onRegenerate?: (() => void) | undefined
  readonly renderText: (message: ShownMessage) => ReactNode
  readonly isWhyShown: boolean
}

export function MessageItem({ message, labels, conversationId, ...more }: MessageItemProps): ReactNode {
  const { role, state, receiptId, name } = message
  const { onRegenerate, renderText, isWhyShown } = more
  const speaker = name ?? (role === 'user' ? labels.you : labels.assistant)
  const isWhyToTell = isWhyShown && receiptId !== undefined && state !== 'answering'
  return (
    <li className="recollect-message" data-role={role} data-state={state}>
      <span className="recollect-speaker">{speaker}</span>
      <div className="recollect-text" dir="auto">
        {renderText(message)}
      </div>
      <MessageFooter message={message} labels={labels} />
      {isWhyToTell && <Why conversationId={conversationId} receiptId={receiptId} labels={labels} />}
      {onRegenerate && (
        <button type="button" className="recollect-regenerate" onClick={onRegenerate}>
          {labels.regenerate}
        </button>
      )}
    </li>
  )
}

function MessageFooter({ message, labels }: Pick<MessageItemProps, 'message' | 'labels'>): ReactNode {
  const { state, isFromMemory } = message
  const words = [...(isFromMemory ? [labels.fromMemory] : []), ...(state === 'kept' ? [] : [labels[state]])]
  if (words.length === 0) return null
  return <span className="recollect-state">{words.join(' · ')}</span>
}
