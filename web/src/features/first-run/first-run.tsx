import { useState } from 'react'
import { localValues } from '../../browser-storage.ts'
import { addressOf, Link, navigate } from '../../router.tsx'
import { Button } from '../../ui/button.tsx'
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

const KEY = 'tour'

const STEPS = [
  [
    'Just talk',
    'Everything you say is stored word for word on this machine. Nothing is sent anywhere unless you connect a model.',
  ],
  [
    'See why',
    'Open “Why this answer” under any answer to see what the model received, what was left out, and how the token budget was used.',
  ],
  [
    'Correct it',
    '“Memory” lists facts with their sources. Edit one or mark it as wrong, and the next answer uses the correction.',
  ],
  ['Find anything', 'Press Ctrl+K or Cmd+K to search chats, messages and memory from anywhere.'],
] as const

/** A short introduction; once closed, it doesn't come back. */
export function Tour() {
  const [isClosed, setClosed] = useState(localValues.get(KEY) !== undefined)
  const [at, setAt] = useState(0)
  const step = STEPS[at]
  if (isClosed || step === undefined) return null
  const close = () => {
    localValues.set(KEY, 'left')
    setClosed(true)
  }
  const isLast = at === STEPS.length - 1
  return (
    <section className="tour" aria-label="Tour">
      <h2>{step[0]}</h2>
      <p>{step[1]}</p>
      <div className="tour-foot">
        <span className="tour-steps" aria-hidden="true">
          {STEPS.map(([title], i) => (
            <span key={title} data-current={i === at} />
          ))}
        </span>
        {!isLast && (
          <Button isSmall look="quiet" onClick={close}>
            Skip
          </Button>
        )}
        <Button isSmall look="primary" onClick={isLast ? close : () => setAt(at + 1)}>
          {isLast ? 'Start' : 'Next'}
        </Button>
      </div>
    </section>
  )
}
