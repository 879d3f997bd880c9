import { useState } from 'react'
import { addressOf, Link, navigate } from '../../router.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { showError } from '../../ui/toasts.tsx'
import { refreshList } from '../conversations/conversation-list.ts'
import './first-run.css'

/** Ways to start when there are no chats yet. */
export function FirstRun() {
  const [isBusy, setBusy] = useState(false)
  const openSample = async () => {
    setBusy(true)
    try {
      const { recordSample } = await import('./record-sample.ts')
      const id = await recordSample()
      await refreshList()
      navigate(addressOf(id))
    } catch (error) {
      setBusy(false)
      showError('Couldn’t create the sample chat', error)
    }
  }
  return (
    <div className="first-run">
      <p className="first-run-or">or start with</p>
      <div className="first-run-ways">
        <button type="button" className="way" disabled={isBusy} onClick={() => void openSample()}>
          <Way
            icon="book"
            title="A sample chat"
            text="Planning a week in Lisbon. See what is remembered and why."
          />
        </button>
        <Link to="/import" className="way">
          <Way
            icon="upload"
            title="Your existing chats"
            text="Import an export from ChatGPT, Claude or another app."
          />
        </Link>
      </div>
    </div>
  )
}

interface WayProps {
  readonly icon: IconName
  readonly title: string
  readonly text: string
}

function Way({ icon, title, text }: WayProps) {
  return (
    <>
      <span className="way-icon">
        <Icon name={icon} />
      </span>
      <span className="way-title">{title}</span>
      <span className="way-text">{text}</span>
    </>
  )
}
