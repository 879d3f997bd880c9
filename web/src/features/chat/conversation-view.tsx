import { useCallback, useEffect, useState } from 'react'
import { type ShownMessage, type UsedConversation, useConversation } from 'recollect/react'
import { client } from '../../api/client.ts'
import { notifyTabs } from '../../api/tabs.ts'
import { toSentence } from '../../format.ts'
import { addressOf, Link, navigate } from '../../router.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { showError, showToast } from '../../ui/toasts.tsx'
import { ConversationBar } from '../conversations/conversation-bar.tsx'
import { refreshList } from '../conversations/conversation-list.ts'
import { markSeen } from '../conversations/seen.ts'
import { useConversationInfo } from '../conversations/use-conversation-info.ts'
import { Attachments } from '../documents/attachments.tsx'
import { DropZone } from '../documents/drop-zone.tsx'
import { attachFiles } from '../documents/use-documents.ts'
import { turnOptions } from '../settings/turn-settings.ts'
import { MissingPage } from '../shell/missing-page.tsx'
import { WhyPanel } from '../why/why-panel.tsx'
import { Composer } from './composer.tsx'
import { beginChat, setFirstMessage, takeFirstMessage } from './first-message.ts'
import { MessageList } from './message-list.tsx'

interface ConversationViewProps {
  readonly conversationId: string
  /** The message to show first. */
  readonly messageId: string | undefined
}

export function ConversationView({ conversationId, messageId }: ConversationViewProps) {
  const conversation = useConversation(conversationId)
  const { isMissing } = useConversationInfo(conversationId)
  const [why, setWhy] = useState<string | undefined>()
  const [sent, setSent] = useState(0)
  const { send, status, messages, stop, regenerate } = conversation
  const isBusy = status === 'sending' || status === 'answering'
  useSeen(conversationId, messages.at(-1)?.createdAt)
  const say = useCallback(
    (text: string) => {
      setSent((count) => count + 1)
      void send(text, turnOptions()).then(refreshList)
    },
    [send],
  )
  useEffect(() => {
    const first = takeFirstMessage(conversationId)
    if (first !== undefined) say(first)
  }, [conversationId, say])
  const edit = useCallback(
    (id: string, text: string) => void editAndResend({ conversationId, messages, messageId: id, text }),
    [conversationId, messages],
  )
  const again = useCallback((id: string) => void regenerate(id, turnOptions()), [regenerate])
  if (isMissing && messages.length === 0 && !isBusy) return <MissingPage />
  const lastReceipt = messages.findLast(({ receiptId }) => receiptId !== undefined)?.receiptId
  return (
    <div className="chat">
      <DropZone
        className="chat-main"
        text="Drop files to attach them to this chat"
        onFiles={(files) => void attachFiles(conversationId, files)}
      >
        <ConversationBar conversationId={conversationId} tab="chat">
          <IconButton
            icon="panel"
            label="Why this answer"
            aria-pressed={why !== undefined}
            disabled={lastReceipt === undefined}
            onClick={() => setWhy(why === undefined ? lastReceipt : undefined)}
          />
        </ConversationBar>
        <MessageList
          conversationId={conversationId}
          conversation={conversation}
          messageId={messageId}
          sentCount={sent}
          shownReceipt={why}
          onWhy={setWhy}
          onEdit={edit}
          onRegenerate={again}
        />
        <div className="chat-foot">
          <ChatNotices conversation={conversation} />
          <Composer draftName={conversationId} isBusy={isBusy} onSend={say} onStop={stop}>
            <Attachments conversationId={conversationId} />
          </Composer>
        </div>
      </DropZone>
      {why !== undefined && (
        <WhyPanel conversationId={conversationId} receiptId={why} onClose={() => setWhy(undefined)} />
      )}
    </div>
  )
}

/** Marks the conversation as read while the page is visible. */
function useSeen(conversationId: string, at: string | undefined): void {
  useEffect(() => {
    const mark = () => {
      if (document.visibilityState === 'visible') markSeen(conversationId, new Date().toISOString())
    }
    if (at !== undefined) mark()
    document.addEventListener('visibilitychange', mark)
    return () => {
      mark()
      document.removeEventListener('visibilitychange', mark)
    }
  }, [conversationId, at])
}

interface Edit {
  readonly conversationId: string
  readonly messages: readonly ShownMessage[]
  readonly messageId: string
  readonly text: string
}

/** Continues in a fork with the edited text. The original conversation is unchanged. */
async function editAndResend({ conversationId, messages, messageId, text }: Edit): Promise<void> {
  const at = messages.findIndex(({ id }) => id === messageId)
  const before = messages[at - 1]
  try {
    if (before === undefined) {
      await beginChat({ text, isIncognito: false })
    } else {
      const fork = await client.conversation(conversationId).fork(before.id)
      setFirstMessage(fork.id, text)
      navigate(addressOf(fork.id))
      notifyTabs('conversations')
      void refreshList()
    }
    showToast('Continued in a fork.', {
      action: { label: 'Back to the original', run: () => navigate(addressOf(conversationId)) },
    })
  } catch (error) {
    showError('Couldn’t fork the chat', error)
  }
}

/** Errors and notices about the last answer. */
function ChatNotices({ conversation }: { readonly conversation: UsedConversation }) {
  const { error, notices, retry, dismissError } = conversation
  const others = notices.filter(({ code }) => code !== 'no-model')
  if (error === undefined && others.length === 0) return null
  return (
    <div className="chat-notices">
      {error !== undefined && (
        <div className="notice notice-danger" role="alert">
          <Icon name="warn" />
          <div className="notice-body">
            <strong>{toSentence(error.message)}</strong>
            {error.hint !== undefined && <span>{toSentence(error.hint)}</span>}
          </div>
          <Button isSmall icon="refresh" onClick={() => void retry()}>
            Try again
          </Button>
          <IconButton icon="close" label="Dismiss" isSmall onClick={dismissError} />
        </div>
      )}
      {others.map(({ code, text, hint }) => (
        <div key={code} className="notice" role="status">
          <Icon name="info" />
          <div className="notice-body">
            <span>{toSentence(text)}</span>
            {hint !== undefined && <span>{toSentence(hint)}</span>}
            {code === 'model-failed' && <Link to="/settings">Check model status</Link>}
          </div>
        </div>
      ))}
    </div>
  )
}
