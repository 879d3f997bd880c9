import { useState } from 'react'
import { addressOf, Link, navigate } from '../../router.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { refreshList } from '../conversations/conversation-list.ts'
import './first-run.css'

/** What somebody who has nothing yet can begin with. */
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
      showToast(`The sample could not be recorded: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return (
    <div className="first-run">
      <p className="first-run-or">or begin with</p>
      <div className="first-run-ways">
        <button type="button" className="way" disabled={isBusy} onClick={() => void openSample()}>
          <Way
            icon="book"
            title="A sample chat"
            text="Planning a week in Lisbon: see what is remembered, and why."
          />
        </button>
        <Link to="/import" className="way">
          <Way
            icon="upload"
            title="Your own chats"
            text="Drop an export of ChatGPT, Claude, or another app."
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
