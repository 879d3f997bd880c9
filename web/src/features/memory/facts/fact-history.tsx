import { useRemote } from 'recollect/react'
import { formatMoment } from '../../../format.ts'
import { Button } from '../../../ui/button.tsx'
import { type FactActions, historyName } from './fact-actions.ts'
import type { Fact } from './use-facts.ts'

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
export function FactHistory({ fact, actions }: { readonly fact: Fact; readonly actions: FactActions }) {
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
