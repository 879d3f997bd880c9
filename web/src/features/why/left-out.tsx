import { useState } from 'react'
import { formatCount, plural } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { KIND_NAMES, type Receipt } from './sections.ts'

interface LeftOutProps {
  readonly receipt: Receipt
  readonly conversationId: string
}

const FIRST = 6

export function LeftOut({ receipt }: LeftOutProps) {
  const [isWhole, setWhole] = useState(false)
  const omitted = groupOmissions(receipt.omitted)
  if (omitted.length === 0) return <p className="why-none">Nothing was left out.</p>
  const shown = isWhole ? omitted : omitted.slice(0, FIRST)
  return (
    <>
      <ul className="why-list">
        {shown.map((omission, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: omissions have no id and never change
          <li key={i} className="left-out">
            <span className="left-out-what">{whatOf(omission)}</span>
            {omission.tokens > 0 && <span className="left-out-tokens">{formatCount(omission.tokens)}</span>}
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

type Omission = Receipt['omitted'][number]

interface OmissionGroup extends Omission {
  readonly count: number
}

/** Groups omissions of the same kind and reason. */
function groupOmissions(omitted: readonly Omission[]): readonly OmissionGroup[] {
  const groups = new Map<string, OmissionGroup>()
  for (const one of omitted) {
    const name = one.item === undefined ? JSON.stringify(one.runs) : `${one.item.kind} ${one.reason}`
    const known = groups.get(name)
    groups.set(name, { ...one, count: (known?.count ?? 0) + 1, tokens: (known?.tokens ?? 0) + one.tokens })
  }
  return [...groups.values()]
}

function whatOf({ item, runs, count }: OmissionGroup): string {
  if (item !== undefined) return count === 1 ? KIND_NAMES[item.kind] : `${KIND_NAMES[item.kind]} × ${count}`
  const messages = runs.reduce((sum, [from = 0, to = 0]) => sum + to - from + 1, 0)
  return plural(messages, 'earlier message')
}
