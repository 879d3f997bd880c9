import { type ReactNode, useMemo, useState } from 'react'
import { useRemote } from 'recollect/react'
import { formatBytes, formatCount, formatShort } from '../../format.ts'
import { Icon } from '../../ui/icon.tsx'
import { TopBar } from '../shell/top-bar.tsx'
import { Chart } from './chart.tsx'
import { Health, SectionShares } from './figure-lists.tsx'
import { type Figures, readFigures } from './read-figures.ts'
import './analytics.css'

const SPANS = [7, 30, 90, 365] as const

export function AnalyticsPage() {
  const [days, setDays] = useState<number>(30)
  const { value, error } = useRemote({
    name: `figures ${days}`,
    read: (client, signal) => readFigures(client, days, signal),
    about: ['conversations'],
  })
  return (
    <>
      <TopBar title={<h1>Analytics</h1>}>
        <div className="segments" role="radiogroup" aria-label="Days">
          {SPANS.map((span) => (
            // biome-ignore lint/a11y/useSemanticElements: a row of buttons, of which one is chosen
            <button
              key={span}
              type="button"
              role="radio"
              className="segment"
              aria-checked={span === days}
              aria-label={`${span} days`}
              onClick={() => setDays(span)}
            >
              {span}
              <span className="segment-unit">days</span>
            </button>
          ))}
        </div>
      </TopBar>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section className="page" tabIndex={0} aria-label="Figures">
        <div className="page-column">
          {value !== undefined && <Content figures={value} />}
          {value === undefined && error !== undefined && <p className="page-lead">{error.message}</p>}
          {value === undefined && error === undefined && <Waiting />}
        </div>
      </section>
    </>
  )
}

function Content({ figures }: { readonly figures: Figures }) {
  const { days, statistics, isPartial } = figures
  const given = sum(days, 'contextTokens')
  const saved = sum(days, 'historyTokens') - given
  return (
    <>
      <ul className="tiles">
        <Tile name="Chats" value={formatCount(statistics.conversations ?? 0)} />
        <Tile name="Messages" value={formatCount(statistics.messages ?? 0)} />
        <Tile name="Tokens kept" value={formatShort(statistics.tokens ?? 0)} />
        <Tile
          name="Storage"
          value={statistics.storageBytes === undefined ? '–' : formatBytes(statistics.storageBytes)}
          note={
            statistics.savedBytes !== undefined && statistics.savedBytes > 0
              ? `${formatBytes(statistics.savedBytes)} saved by compression`
              : undefined
          }
        />
        <Tile
          name="Tokens not sent"
          value={formatShort(saved)}
          note={
            saved > 0 ? `${Math.round((saved / (saved + given)) * 100)} % of the whole histories` : undefined
          }
        />
      </ul>
      {isPartial && (
        <p className="notice">
          <Icon name="info" />
          There was more than is looked at: the charts show the chats that were used last.
        </p>
      )}
      <Charts days={days} />
      <div className="panels">
        <Panel
          title="What contexts were spent on"
          lead="Tokens by section, all contexts of the span together."
        >
          <SectionShares sections={figures.sections} />
        </Panel>
        <Panel title="Work behind the scenes" lead="Of this server, since it was started.">
          <Health figures={figures} />
        </Panel>
      </div>
    </>
  )
}

function Charts({ days }: { readonly days: Figures['days'] }) {
  const names = useMemo(() => days.map(({ day }) => day), [days])
  const messages = useMemo(
    () => [{ name: 'Messages', colour: '--accent', values: days.map((day) => day.messages) }],
    [days],
  )
  const tokens = useMemo(
    () => [{ name: 'Tokens', colour: '--section-summary', values: days.map((day) => day.tokens) }],
    [days],
  )
  const sent = useMemo(
    () => [
      { name: 'Whole history', colour: '--section-tail', values: days.map((day) => day.historyTokens) },
      { name: 'Given to the model', colour: '--accent', values: days.map((day) => day.contextTokens) },
    ],
    [days],
  )
  return (
    <>
      <div className="panels">
        <Panel title="Messages a day">
          <Chart label="Messages a day" days={names} measures={messages} look="bars" />
        </Panel>
        <Panel title="Tokens a day">
          <Chart label="Tokens a day" days={names} measures={tokens} look="bars" />
        </Panel>
      </div>
      <Panel title="Tokens for models" lead="What was given, against what the whole chats would have been.">
        <Chart label="Tokens for models a day" days={names} measures={sent} look="lines" />
      </Panel>
    </>
  )
}

const sum = (days: Figures['days'], name: 'contextTokens' | 'historyTokens'): number =>
  days.reduce((total, day) => total + day[name], 0)

interface TileProps {
  readonly name: string
  readonly value: string
  readonly note?: string | undefined
}

function Tile({ name, value, note }: TileProps) {
  return (
    <li className="tile">
      <span className="tile-name">{name}</span>
      <span className="tile-value">{value}</span>
      {note !== undefined && <span className="tile-note">{note}</span>}
    </li>
  )
}

interface PanelProps {
  readonly title: string
  readonly lead?: string
  readonly children: ReactNode
}

function Panel({ title, lead, children }: PanelProps) {
  return (
    <section className="card panel">
      <h2>{title}</h2>
      {lead !== undefined && <p className="field-hint">{lead}</p>}
      {children}
    </section>
  )
}

function Waiting() {
  return (
    <div className="tiles" role="status" aria-label="Loading figures">
      {['a', 'b', 'c', 'd'].map((name) => (
        <div key={name} className="skeleton tile-waiting" />
      ))}
    </div>
  )
}
