import { useState } from 'react'
import { formatCount, plural } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { KIND_NAMES, type Receipt } from './sections.ts'

interface LeftOutProps {
  readonly receipt: Receipt
  readonly conversationId: string
}

const FIRST = 6

export function LeftOut({ receipt: { omitted } }: LeftOutProps) {
  const [isWhole, setWhole] = useState(false)
  if (omitted.length === 0) return <p className="why-none">Nothing: all that there is was given.</p>
  const shown = isWhole ? omitted : omitted.slice(0, FIRST)
  return (
    <>
      <ul className="why-list">
        {shown.map((omission, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what was left out has no other name, and never changes
          <li key={i} className="left-out">
            <span className="left-out-what">{whatOf(omission)}</span>
            <span className="left-out-tokens">{formatCount(omission.tokens)}</span>
            <span className="left-out-why">{omission.reason}</span>
          </li>
        ))}
      </ul>
      {omitted.length > FIRST && (
        <Button isSmall look="quiet" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show all ${omitted.length}`}
        </Button>
      )}
    </>
  )
}

function whatOf({ item, runs }: Receipt['omitted'][number]): string {
  if (item !== undefined) return KIND_NAMES[item.kind]
  const count = runs.reduce((sum, [from = 0, to = 0]) => sum + to - from + 1, 0)
  return plural(count, 'earlier message')
}
