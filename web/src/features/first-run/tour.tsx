import { useState } from 'react'
import { kept } from '../../kept.ts'
import { Button } from '../../ui/button.tsx'
import './first-run.css'

const KEY = 'tour'

const STEPS = [
  [
    'Just talk',
    'Whatever you say is kept, in order, word for word. Nothing is sent anywhere unless you connect a model.',
  ],
  [
    'See why',
    'Each answer has “Why this answer”: what the model was given, what was left out, and how the budget was spent.',
  ],
  [
    'Set it right',
    '“What is known” lists facts with their sources. Change or reject one, and the next answer knows.',
  ],
  ['Find anything', 'Ctrl+K, or Cmd+K, searches chats, messages and what is known, from anywhere.'],
] as const

/** A few words for those who are new; gone for good once they are left. */
export function Tour() {
  const [isLeft, setLeft] = useState(kept.get(KEY) !== undefined)
  const [at, setAt] = useState(0)
  const step = STEPS[at]
  if (isLeft || step === undefined) return null
  const leave = () => {
    kept.set(KEY, 'left')
    setLeft(true)
  }
  const isLast = at === STEPS.length - 1
  return (
    <section className="tour" aria-label="A short tour">
      <h2>{step[0]}</h2>
      <p>{step[1]}</p>
      <div className="tour-foot">
        <span className="tour-steps" aria-hidden="true">
          {STEPS.map(([title], i) => (
            <span key={title} data-current={i === at} />
          ))}
        </span>
        {!isLast && (
          <Button isSmall look="quiet" onClick={leave}>
            Leave the tour
          </Button>
        )}
        <Button isSmall look="primary" onClick={isLast ? leave : () => setAt(at + 1)}>
          {isLast ? 'Begin' : 'Next'}
        </Button>
      </div>
    </section>
  )
}
