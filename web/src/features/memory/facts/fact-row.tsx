import { useState } from 'react'
import { formatDay } from '../../../format.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { Sources } from '../sources.tsx'
import { EditFactDialog } from './edit-fact-dialog.tsx'
import type { FactActions } from './fact-actions.ts'
import { FactHistory } from './fact-history.tsx'
import { FactLine } from './fact-line.tsx'
import type { FactSpan } from './fact-span.ts'
import type { Fact } from './use-facts.ts'

interface FactRowProps {
  readonly fact: Fact
  /** Earlier values of the same fact, oldest first. */
  readonly earlier: readonly Fact[]
  readonly span: FactSpan
  readonly moment: number
  readonly actions: FactActions
}

export function FactRow({ fact, earlier, span, moment, actions }: FactRowProps) {
  const [isOpen, setOpen] = useState(false)
  const { attribute, value, rejectedAt } = fact
  return (
    <li className="fact" data-rejected={rejectedAt !== undefined}>
      <div className="fact-head">
        <button type="button" className="fact-main" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <span className="fact-attribute" dir="auto">
            {attribute}
          </span>
          <span className="fact-value" dir="auto">
            {value}
          </span>
        </button>
        <FactLine values={[...earlier, fact]} span={span} moment={moment} />
        <FactTools fact={fact} actions={actions} />
      </div>
      <FactChips fact={fact} earlier={earlier} />
      {isOpen && (
        <div className="fact-more">
          <Sources messageIds={fact.sources} conversationIds={fact.conversationIds} />
          <FactHistory fact={fact} actions={actions} />
        </div>
      )}
    </li>
  )
}

/** Labels for anything unusual about a fact. */
function FactChips({ fact, earlier }: Pick<FactRowProps, 'fact' | 'earlier'>) {
  const { kind, origin, pinnedAt, rejectedAt, validFrom, validUntil, confidence } = fact
  return (
    <div className="fact-chips">
      <span className="memory-faint">
        {validUntil === undefined
          ? `since ${formatDay(validFrom)}`
          : `${formatDay(validFrom)} to ${formatDay(validUntil)}`}
      </span>
      {earlier.length > 0 && (
        <span className="memory-faint" dir="auto">
          previously <s>{earlier.at(-1)?.value}</s>
        </span>
      )}
      {kind !== 'fact' && <span className="chip">{kind}</span>}
      {pinnedAt !== undefined && (
        <span className="chip chip-accent">
          <Icon name="pin" size={12} />
          pinned
        </span>
      )}
      {origin === 'given' && <span className="chip">added manually</span>}
      {confidence < 0.6 && <span className="chip chip-warn">uncertain</span>}
      {rejectedAt !== undefined && <span className="chip chip-danger">marked wrong</span>}
    </div>
  )
}

function FactTools({ fact, actions }: Pick<FactRowProps, 'fact' | 'actions'>) {
  const [isEditing, setEditing] = useState(false)
  const isPinned = fact.pinnedAt !== undefined
  const isRejected = fact.rejectedAt !== undefined
  return (
    <div className="fact-tools">
      <IconButton
        icon="pin"
        label={isPinned ? 'Unpin' : 'Pin (always included)'}
        isSmall
        aria-pressed={isPinned}
        onClick={() => void (isPinned ? actions.unpin(fact) : actions.pin(fact))}
      />
      <Menu
        label={`Actions for “${fact.value}”`}
        className="icon-button icon-button-small"
        button={<Icon name="more" size={16} />}
      >
        {() => (
          <>
            <MenuItem icon="edit" onChoose={() => setEditing(true)}>
              Edit…
            </MenuItem>
            {isRejected ? (
              <MenuItem icon="refresh" onChoose={() => void actions.restore(fact)}>
                Restore
              </MenuItem>
            ) : (
              <MenuItem icon="trash" isDanger onChoose={() => void actions.reject(fact)}>
                Mark as wrong
              </MenuItem>
            )}
          </>
        )}
      </Menu>
      {isEditing && <EditFactDialog fact={fact} actions={actions} onClose={() => setEditing(false)} />}
    </div>
  )
}
