// A chat next to a page. Unstyled: class names begin with `recollect-`, state is in data attributes, and
// `recollect/react/theme.css` is an optional theme.

'use client'

import { type ReactNode, useMemo } from 'react'
import type { RequestError } from '../client/send-request.ts'
import { type UsedConversation, useConversation, usePageContext } from '../hooks.tsx'
import type { Notice, ShownMessage } from '../live/conversation-view.ts'
import type { TurnOptions } from '../live/live-conversation.ts'
import { Composer } from './composer.tsx'
import { type ChatSidebarLabels, LABELS } from './labels.ts'
import { MessageLog } from './message-log.tsx'

export interface ChatSidebarProps {
  readonly conversationId: string
  /** The page that the chat belongs to. @default the page with the same id */
  readonly pageId?: string
  /** Instructions and limits for the model, sent with every question. */
  readonly turn?: TurnOptions
  /** Labels in other languages. */
  readonly labels?: Partial<ChatSidebarLabels>
  /** Renders the text of a message. @default plain text with line breaks */
  readonly renderText?: (message: ShownMessage) => ReactNode
  /** Whether each answer can show what it was based on. @default true */
  readonly showWhy?: boolean
  /** Whether the input is focused on mount. @default false */
  readonly autoFocus?: boolean
  /** Adds a close button, and closes on Escape. */
  readonly onClose?: () => void
  readonly className?: string
}

const plainText = ({ text }: ShownMessage): ReactNode => text

export function ChatSidebar(props: ChatSidebarProps): ReactNode {
  const { conversationId, pageId = conversationId, renderText = plainText, showWhy = true } = props
  const { autoFocus = false, onClose, turn, className } = props
  const labels = useMemo(() => ({ ...LABELS, ...props.labels }), [props.labels])
  const conversation = useConversation(conversationId, {
    ...turn,
    ...(props.pageId !== undefined && { pageId: props.pageId }),
  })
  const { status, stop, send } = conversation
  const isBusy = status === 'sending' || status === 'answering'
  return (
    <aside
      className={['recollect-sidebar', className].filter(Boolean).join(' ')}
      aria-label={labels.title}
      data-status={status}
    >
      <Header pageId={pageId} labels={labels} onClose={onClose} />
      <MessageLog
        conversationId={conversationId}
        conversation={conversation}
        labels={labels}
        renderText={renderText}
        isWhyShown={showWhy}
      />
      <Announced conversation={conversation} labels={labels} />
      <Notices notices={conversation.notices} />
      {conversation.error && <Failure {...conversation} error={conversation.error} labels={labels} />}
      <Composer
        conversationId={conversationId}
        conversation={conversation}
        labels={labels}
        autoFocus={autoFocus}
        onSend={(text) => void send(text)}
        onEscape={() => (isBusy ? stop() : onClose?.())}
      />
    </aside>
  )
}

interface HeaderProps {
  readonly pageId: string
  readonly labels: ChatSidebarLabels
  readonly onClose: (() => void) | undefined
}

function Header({ pageId, labels, onClose }: HeaderProps): ReactNode {
  const { context } = usePageContext(pageId)
  const file = context?.activeFile
  return (
    <header className="recollect-header">
      <h2 className="recollect-title">{labels.title}</h2>
      {onClose && (
        <button type="button" className="recollect-close" onClick={onClose} aria-label={labels.close}>
          <span aria-hidden="true">×</span>
        </button>
      )}
      {(file || context?.currentTopic) && (
        <dl className="recollect-page">
          {file && <Term name={labels.activeFile} value={file.name ?? file.id} />}
          {context?.currentTopic && <Term name={labels.topic} value={context.currentTopic} />}
        </dl>
      )}
    </header>
  )
}

const Term = ({ name, value }: { readonly name: string; readonly value: string }): ReactNode => (
  <div className="recollect-page-entry">
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)

interface AnnouncedProps {
  readonly conversation: UsedConversation
  readonly labels: ChatSidebarLabels
}

/**
 * For screen readers: announces that an answer is being written, and then the complete answer instead of each
 * chunk.
 */
function Announced({ conversation: { status, messages }, labels }: AnnouncedProps): ReactNode {
  const last = messages.at(-1)
  const isAnswered = status === 'ready' && last?.role === 'assistant' && last.position !== undefined
  const words = status === 'answering' || status === 'sending' ? labels[status] : ''
  return (
    <p className="recollect-announced" role="status">
      {isAnswered ? last.text : words}
    </p>
  )
}

function Notices({ notices }: { readonly notices: readonly Notice[] }): ReactNode {
  if (notices.length === 0) return null
  return (
    <ul className="recollect-notices">
      {notices.map(({ code, text, hint }) => (
        <li key={code} data-code={code}>
          {text} {hint && <small>{hint}</small>}
        </li>
      ))}
    </ul>
  )
}

interface FailureProps extends Pick<UsedConversation, 'retry' | 'dismissError'> {
  readonly error: RequestError
  readonly labels: ChatSidebarLabels
}

function Failure({ error, retry, dismissError, labels }: FailureProps): ReactNode {
  const { message, hint, requestId } = error
  return (
    <div className="recollect-error" role="alert" data-code={error.code}>
      <p>{message}</p>
      {hint && <p className="recollect-hint">{hint}</p>}
      {requestId && <code className="recollect-request-id">{requestId}</code>}
      <button type="button" className="recollect-retry" onClick={() => void retry()}>
        {labels.retry}
      </button>
      <button type="button" className="recollect-dismiss" onClick={dismissError}>
        {labels.dismiss}
      </button>
    </div>
  )
}
