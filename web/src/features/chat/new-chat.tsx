import { useState } from 'react'
import { Link } from '../../router.tsx'
import { useStore } from '../../store.ts'
import { Icon } from '../../ui/icon.tsx'
import { showError } from '../../ui/toasts.tsx'
import { conversationList } from '../conversations/conversation-list.ts'
import { AttachButton } from '../documents/attachments.tsx'
import { DropZone } from '../documents/drop-zone.tsx'
import { FirstRun, Tour } from '../first-run/first-run.tsx'
import { useModels } from '../settings/use-models.ts'
import { TopBar } from '../shell/top-bar.tsx'
import { Composer } from './composer.tsx'
import { beginChat, beginWithFiles } from './first-message.ts'

export function NewChat({ isIncognito }: { readonly isIncognito: boolean }) {
  const { status, recent, pinned, shelf } = useStore(conversationList)
  const [isBusy, setBusy] = useState(false)
  const isFirstRun = status === 'ready' && shelf === 'active' && recent.length + pinned.length === 0
  const draftName = isIncognito ? 'new incognito' : 'new'
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true)
    try {
      await work()
    } catch (error) {
      setBusy(false)
      showError('Couldn’t start the chat', error)
    }
  }
  const start = (text: string) => attempt(() => beginChat({ text, isIncognito }))
  const startWith = (files: readonly File[]) =>
    attempt(() => beginWithFiles(files, { draftName, isIncognito }))
  return (
    <>
      <TopBar title={<span />} />
      <DropZone
        className="new-chat"
        text="Drop files to start a chat with them"
        onFiles={(files) => void startWith(files)}
      >
        <div className="new-chat-column">
          <Greeting isIncognito={isIncognito} isFirstRun={isFirstRun} />
          <Composer
            draftName={draftName}
            isBusy={isBusy}
            placeholder={isIncognito ? 'This chat won’t be remembered' : 'What’s on your mind?'}
            onSend={(text) => void start(text)}
          >
            <AttachButton onFiles={(files) => void startWith(files)} />
          </Composer>
          <ModelHint />
          {isFirstRun && <FirstRun />}
          {!isIncognito && <Tour />}
        </div>
      </DropZone>
    </>
  )
}

function Greeting({
  isIncognito,
  isFirstRun,
}: {
  readonly isIncognito: boolean
  readonly isFirstRun: boolean
}) {
  if (isIncognito)
    return (
      <div className="greeting">
        <span className="greeting-mark greeting-mark-off">
          <Icon name="ghost" size={26} />
        </span>
        <h1>Chat without memory</h1>
        <p>It appears in your list, but nothing is learned from it and other chats can’t use it.</p>
      </div>
    )
  return (
    <div className="greeting">
      <img src="/favicon.svg" alt="" width={52} height={52} />
      <h1>{isFirstRun ? 'Welcome to Recollect' : 'What would you like to talk about?'}</h1>
      {isFirstRun && (
        <p>
          Chats that remember. Everything stays in one file on this machine, and you can see what went into
          each answer.
        </p>
      )}
    </div>
  )
}

/** Explains that without a model, answers are composed from memory. */
function ModelHint() {
  const { value } = useModels()
  if (value === undefined || value.chat !== null) return null
  return (
    <p className="model-hint">
      <Icon name="info" size={15} />
      <span>
        No language model is connected, so answers are composed from memory.{' '}
        <Link to="/settings">Connect a model</Link>
      </span>
    </p>
  )
}
