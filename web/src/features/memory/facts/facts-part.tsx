import { useId, useMemo, useState } from 'react'
import { formatDay, formatMoment, plural } from '../../../format.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Empty, RemoteState } from '../remote-state.tsx'
import { EditFactDialog } from './edit-fact-dialog.tsx'
import { type FactActions, useFactActions } from './fact-actions.ts'
import { FactRow } from './fact-row.tsx'
import { changesOf, type FactSpan, placeOf, spanOf } from './fact-span.ts'
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

interface AsOfProps {
  readonly facts: readonly Fact[]
  readonly span: FactSpan
  /** Undefined means now. */
  readonly moment: number | undefined
  readonly onChoose: (moment: number | undefined) => void
}

const STEPS = 1000

/** A slider that shows the facts at a point in time. Ticks mark changes. */
function AsOf({ facts, span, moment, onChoose }: AsOfProps) {
  const id = useId()
  const at = moment ?? span.to
  const changes = changesOf(facts, span.to)
  const step = (by: -1 | 1) => {
    const next = by < 0 ? changes.findLast((change) => change < at) : changes.find((change) => change > at)
    onChoose(next)
  }
  const slide = (value: number) =>
    onChoose(value >= STEPS ? undefined : span.from + (value / STEPS) * (span.to - span.from))
  return (
    <section className="card as-of" aria-label="Facts at a point in time">
      <div className="as-of-head">
        <label htmlFor={id} className="as-of-label">
          As of <strong>{moment === undefined ? 'now' : formatDay(new Date(moment))}</strong>
        </label>
        <IconButton icon="back" label="Previous change" isSmall onClick={() => step(-1)} />
        <IconButton icon="back" label="Next change" isSmall className="as-of-next" onClick={() => step(1)} />
        <Button isSmall look="quiet" disabled={moment === undefined} onClick={() => onChoose(undefined)}>
          Now
        </Button>
      </div>
      <svg
        className="as-of-marks"
        width="100%"
        height="10"
        viewBox="0 0 100 10"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {changes.map((change) => (
          <line key={change} x1={placeOf(span, change)} x2={placeOf(span, change)} y1="1" y2="9" />
        ))}
      </svg>
      <input
        id={id}
        type="range"
        min={0}
        max={STEPS}
        value={Math.round((placeOf(span, at) / 100) * STEPS)}
        aria-valuetext={moment === undefined ? 'now' : formatMoment(new Date(moment))}
        onChange={(event) => slide(Number(event.target.value))}
      />
      <div className="as-of-ends">
        <span>{formatDay(new Date(span.from))}</span>
        <span>now</span>
      </div>
    </section>
  )
}
