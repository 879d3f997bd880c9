import { useState } from 'react'
import { useRemote } from 'recollect/react'
import { formatDay, formatMoment } from '../../../format.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { Sources } from '../sources.tsx'
import { EditFactDialog } from './edit-fact-dialog.tsx'
import { type FactActions, historyName } from './fact-actions.ts'
import { type FactSpan, placeOf } from './fact-span.ts'
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

interface FactLineProps {
  /** In the order in which they were valid. */
  readonly values: readonly Fact[]
  readonly span: FactSpan
  readonly moment: number
}

/** A timeline of a fact's values: the latest in full colour, earlier ones paler, the chosen moment as a mark. */
function FactLine({ values, span, moment }: FactLineProps) {
  return (
    <svg
      className="fact-line"
      height="14"
      viewBox="0 0 100 14"
      preserveAspectRatio="none"
      role="img"
      aria-label={describe(values)}
    >
      <rect className="fact-line-ground" x="0" y="5" width="100" height="4" />
      {values.map((fact) => {
        const from = placeOf(span, Date.parse(fact.validFrom))
        const to = fact.validUntil === undefined ? 100 : placeOf(span, Date.parse(fact.validUntil))
        return (
          <rect
            key={fact.id + fact.validFrom}
            className={toClass(fact)}
            x={from}
            y="3"
            width={Math.max(to - from - 0.6, 0.8)}
            height="8"
          >
            <title>{`${fact.value}: ${formatDay(fact.validFrom)} – ${fact.validUntil === undefined ? 'now' : formatDay(fact.validUntil)}`}</title>
          </rect>
        )
      })}
      <line
        className="fact-line-moment"
        x1={placeOf(span, moment)}
        x2={placeOf(span, moment)}
        y1="0"
        y2="14"
      />
    </svg>
  )
}

function toClass({ rejectedAt, validUntil }: Fact): string {
  if (rejectedAt !== undefined) return 'fact-line-rejected'
  return validUntil === undefined ? 'fact-line-open' : 'fact-line-closed'
}

const describe = (values: readonly Fact[]): string =>
  values.map(({ value, validFrom }) => `${value} since ${formatDay(validFrom)}`).join(', then ')

const EVENT_NAMES: Readonly<Record<string, string>> = {
  stated: 'First mentioned',
  confirmed: 'Confirmed',
  repeated: 'Mentioned again',
  ended: 'Ended',
  superseded: 'Replaced by newer information',
  corrected: 'Corrected',
  added: 'Added manually',
  changed: 'Edited',
  pinned: 'Pinned',
  unpinned: 'Unpinned',
  rejected: 'Marked as wrong',
  restored: 'Restored',
}

/** Facts extracted by the built-in patterns don't name their source; facts extracted by a model do. */
const isBuiltIn = (madeBy: string): boolean => madeBy.startsWith('reading/')

/** The history of a fact. Manual edits can be undone. */
function FactHistory({ fact, actions }: { readonly fact: Fact; readonly actions: FactActions }) {
  const { value, error } = useRemote({
    name: historyName(fact.id),
    about: [historyName(fact.id), 'knowledge'],
    read: (client, signal) => client.facts.get(fact.id, { signal }),
  })
  if (error !== undefined) return <p className="memory-faint">{error.message}</p>
  if (value === undefined) return <div className="skeleton source-waiting" />
  return (
    <div>
      <h4 className="memory-small-title">History</h4>
      <ol className="fact-events">
        {value.history.map(({ type, at, editId, before, madeBy }) => (
          <li key={`${type} ${at} ${editId ?? ''}`} className="fact-event">
            <span>
              {EVENT_NAMES[type] ?? type}
              {before !== undefined && (
                <>
                  {' '}
                  (was <q dir="auto">{before.value}</q>)
                </>
              )}
              {madeBy !== undefined && !isBuiltIn(madeBy) && (
                <span className="memory-faint"> · extracted by {madeBy}</span>
              )}
            </span>
            <time className="memory-faint" dateTime={at}>
              {formatMoment(at)}
            </time>
            {editId !== undefined && (
              <Button look="quiet" isSmall onClick={() => void actions.undo(fact, editId)}>
                Undo
              </Button>
            )}
          </li>
        ))}
      </ol>
    </div>
  )
}
