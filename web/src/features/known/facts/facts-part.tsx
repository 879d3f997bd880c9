import { useMemo, useState } from 'react'
import { plural } from '../../../format.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty, RemoteState } from '../remote-state.tsx'
import { AsOf } from './as-of.tsx'
import { EditFactDialog } from './edit-fact-dialog.tsx'
import { type FactActions, useFactActions } from './fact-actions.ts'
import { FactRow } from './fact-row.tsx'
import { spanOf } from './fact-span.ts'
import { type Fact, holdsAt, predecessorsOf, subjectOf, useFacts } from './use-facts.ts'

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
  // The moment that counts as now stays while one looks; what is added meanwhile is not in its future.
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
          hasWords(fact, words) && (isAllShown || (fact.rejectedAt === undefined && holdsAt(fact, at))),
      ),
    [facts, words, isAllShown, at],
  )
  return (
    <>
      <div className="known-tools">
        <input
          type="search"
          className="input"
          placeholder="Find a fact"
          aria-label="Find a fact"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
        <label className="known-check">
          <input type="checkbox" checked={isAllShown} onChange={() => setAllShown(!isAllShown)} />
          Past and rejected, too
        </label>
        <Button icon="plus" onClick={() => setAdding(true)}>
          Add
        </Button>
      </div>
      {facts.length > 0 && <AsOf facts={facts} span={span} moment={moment} onChoose={setMoment} />}
      {facts.length === 0 && (
        <Empty icon="known" title="Nothing is known yet">
          Tell a chat something that lasts, such as “I am vegetarian” or “our hotel is in Chiado”, and it
          stands here, with the words that say so.
        </Empty>
      )}
      <FactGroups facts={facts} shown={shown} span={span} moment={at} actions={actions} />
      {facts.length > 0 && shown.length === 0 && (
        <p className="known-none">Nothing of that was known then.</p>
      )}
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

/** By whom they are about; yours first, then those of whom most is known. */
function FactGroups({ facts, shown, span, moment, actions }: FactGroupsProps) {
  const groups = [...groupBySubject(shown)].sort(
    ([one, ofOne], [other, ofOther]) =>
      Number(other === 'You') - Number(one === 'You') || ofOther.length - ofOne.length,
  )
  return groups.map(([subject, ofSubject]) => (
    <section key={subject} className="fact-group" aria-label={subject}>
      <h2 className="fact-subject" dir="auto">
        {subject} <span className="known-faint">{plural(ofSubject.length, 'fact')}</span>
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
