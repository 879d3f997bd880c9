import { useRemote } from 'recollect/react'
import { formatMoment } from '../../../format.ts'
import { Button } from '../../../ui/button.tsx'
import { type FactActions, historyName } from './fact-actions.ts'
import type { Fact } from './use-facts.ts'

const SAID: Readonly<Record<string, string>> = {
  stated: 'Said for the first time',
  confirmed: 'Confirmed',
  repeated: 'Said again',
  ended: 'Ended',
  superseded: 'Something newer was said',
  corrected: 'Corrected',
  added: 'Added by hand',
  changed: 'Changed by hand',
  pinned: 'Pinned',
  unpinned: 'Unpinned',
  rejected: 'Rejected',
  restored: 'Holds again',
}

/** A model is worth naming; the patterns that come with the memory are not. */
const isBuiltIn = (madeBy: string): boolean => madeBy.startsWith('reading/')

/** What became of a fact, step by step; what was done by hand can be taken back. */
export function FactHistory({ fact, actions }: { readonly fact: Fact; readonly actions: FactActions }) {
  const { value, error } = useRemote({
    name: historyName(fact.id),
    about: [historyName(fact.id), 'knowledge'],
    read: (client, signal) => client.facts.get(fact.id, { signal }),
  })
  if (error !== undefined) return <p className="known-faint">{error.message}</p>
  if (value === undefined) return <div className="skeleton source-waiting" />
  return (
    <div>
      <h4 className="known-small-title">History</h4>
      <ol className="fact-events">
        {value.history.map(({ type, at, editId, before, madeBy }) => (
          <li key={`${type} ${at} ${editId ?? ''}`} className="fact-event">
            <span>
              {SAID[type] ?? type}
              {before !== undefined && (
                <>
                  {' '}
                  (was <q dir="auto">{before.value}</q>)
                </>
              )}
              {madeBy !== undefined && !isBuiltIn(madeBy) && (
                <span className="known-faint"> · read by {madeBy}</span>
              )}
            </span>
            <time className="known-faint" dateTime={at}>
              {formatMoment(at)}
            </time>
            {editId !== undefined && (
              <Button look="quiet" isSmall onClick={() => void actions.undo(fact, editId)}>
                Take back
              </Button>
            )}
          </li>
        ))}
      </ol>
    </div>
  )
}
