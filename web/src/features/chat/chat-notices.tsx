import type { UsedConversation } from 'recollect/react'
import { toSentence } from '../../format.ts'
import { Link } from '../../router.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'

/** Errors and notices about the last answer. */
export function ChatNotices({ conversation }: { readonly conversation: UsedConversation }) {
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
