import { useMemo, useState } from 'react'
import { plural } from '../../../format.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty, RemoteState } from '../remote-state.tsx'
import { AsOf } from './as-of.tsx'
import { EditFactDialog } from './edit-fact-dialog.tsx'
import { type FactActions, useFactActions } from './fact-actions.ts'
import { FactRow } from './fact-row.tsx'
import { spanOf } from './fact-span.ts'
import { type Fact, isValidAt, predecessorsOf, subjectOf, useFacts } from './use-facts.ts'

export function FactsPart() {
  const state = useFacts()
  const actions = useFactActions(state)
  return <RemoteState state={state}>{(facts) => <Facts facts={facts} actions={actions} />}</RemoteState>
}

interface FactsProps {
  readonly facts: readonly Fact[]
  readonly actions: FactActions
}

function Facts({ facts, actions }: FactsProps) {
  // "Now" stays fixed while the page is open, but facts added in the meantime must not be in its future.
  const [openedAt] = useState(() => Date.now())
  const now = Math.max(openedAt, ...facts.map(({ saidAt }) => Date.parse(saidAt)))
  const [moment, setMoment] = useState<number | undefined>()
  const [words, setWords] = useState('')
  const [isAllShown, setAllShown] = useState(false)
  const [isAdding, setAdding] = useState(false)
  const span = useMemo(() => spanOf(facts, now), [facts, now])
  const at = moment ?? now
  const shown = useMemo(
    () =>
      facts.filter(
        (fact) =>
          hasWords(fact, words) && (isAllShown || (fact.rejectedAt === undefined && isValidAt(fact, at))),
      ),
    [facts, words, isAllShown, at],
  )
  return (
    <>
      <div className="memory-tools">
        <input
          type="search"
          className="input"
          placeholder="Search facts"
          aria-label="Search facts"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
        <label className="memory-check">
          <input type="checkbox" checked={isAllShown} onChange={() => setAllShown(!isAllShown)} />
          Show past and wrong facts
        </label>
        <Button icon="plus" onClick={() => setAdding(true)}>
          Add
        </Button>
      </div>
      {facts.length > 0 && <AsOf facts={facts} span={span} moment={moment} onChoose={setMoment} />}
      {facts.length === 0 && (
        <Empty icon="memory" title="No facts yet">
          Mention something lasting in a chat, such as “I am vegetarian” or “our hotel is in Chiado”, and it
          appears here with its source.
        </Empty>
      )}
      <FactGroups facts={facts} shown={shown} span={span} moment={at} actions={actions} />
      {facts.length > 0 && shown.length === 0 && <p className="memory-none">No matching facts.</p>}
      {isAdding && <EditFactDialog actions={actions} onClose={() => setAdding(false)} />}
    </>
  )
}

function hasWords({ subject, attribute, value }: Fact, words: string): boolean {
  const text = `${subject} ${attribute} ${value}`.toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

interface FactGroupsProps extends FactsProps {
  readonly shown: readonly Fact[]
  readonly span: ReturnType<typeof spanOf>
  readonly moment: number
}

/** Facts by subject: the user first, then the subjects with the most facts. */
function FactGroups({ facts, shown, span, moment, actions }: FactGroupsProps) {
  const groups = [...groupBySubject(shown)].sort(
    ([one, ofOne], [other, ofOther]) =>
      Number(other === 'You') - Number(one === 'You') || ofOther.length - ofOne.length,
  )
  return groups.map(([subject, ofSubject]) => (
    <section key={subject} className="fact-group" aria-label={subject}>
      <h2 className="fact-subject" dir="auto">
        {subject} <span className="memory-faint">{plural(ofSubject.length, 'fact')}</span>
      </h2>
      <ul className="facts">
        {ofSubject.toSorted(byPin).map((fact) => (
          <FactRow
            key={fact.id}
            fact={fact}
            earlier={predecessorsOf(fact, facts)}
            span={span}
            moment={moment}
            actions={actions}
          />
        ))}
      </ul>
    </section>
  ))
}

function groupBySubject(facts: readonly Fact[]): ReadonlyMap<string, readonly Fact[]> {
  const groups = new Map<string, Fact[]>()
  for (const fact of facts) {
    const group = groups.get(subjectOf(fact))
    if (group === undefined) groups.set(subjectOf(fact), [fact])
    else group.push(fact)
  }
  return groups
}

const byPin = (one: Fact, other: Fact): number =>
  Number(other.pinnedAt !== undefined) - Number(one.pinnedAt !== undefined)
