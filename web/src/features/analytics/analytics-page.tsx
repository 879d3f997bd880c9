import { useId, useState } from 'react'
import { useRemote } from 'recollect/react'
import { localValues } from '../../browser-storage.ts'
import { formatBytes, formatCount, formatShort, plural } from '../../format.ts'
import { Choice, type ChoiceOption } from '../../ui/choice.tsx'
import { TopBar } from '../shell/top-bar.tsx'
import { Charts } from './charts.tsx'
import { Health, SectionShares } from './figure-lists.tsx'
import { Panel } from './panel.tsx'
import { type Figures, readFigures, sumOf } from './read-figures.ts'
import './analytics.css'

const SPANS: readonly ChoiceOption<number>[] = [7, 30, 90, 365].map((days) => ({
  value: days,
  name: `${days} days`,
  text: (
    <>
      {days}
      <span className="segment-unit">days</span>
    </>
  ),
}))

export function AnalyticsPage() {
  const [days, setDays] = useState<number>(30)
  const { value, error, refresh } = useRemote({
    name: `figures ${days}`,
    read: (client, signal) => readFigures(client, days, signal),
    about: ['conversations'],
  })
  return (
    <>
      <TopBar title={<h1>Analytics</h1>}>
        <Choice label="Period" options={SPANS} chosen={days} onChoose={setDays} />
      </TopBar>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section className="page" tabIndex={0} aria-label="Analytics">
        <div className="page-column">
          {value !== undefined && <Content figures={value} onRetried={refresh} />}
          {value === undefined && error !== undefined && <p className="page-lead">{error.message}</p>}
          {value === undefined && error === undefined && <Waiting />}
        </div>
      </section>
    </>
  )
}

interface ContentProps {
  readonly figures: Figures
  readonly onRetried: () => Promise<void>
}

function Content({ figures, onRetried }: ContentProps) {
  return (
    <>
      <Tiles figures={figures} />
      <Charts figures={figures} />
      <div className="panels">
        <Panel title="Context by section" lead="Tokens in each section, over all contexts in this period.">
          <SectionShares sections={figures.sections} />
        </Panel>
        <Panel title="Savings" lead="Compared with sending the full chat with every question.">
          <Savings days={figures.days} />
        </Panel>
      </div>
      <Panel title="Background work" lead="On this server since it started.">
        <Health figures={figures} onRetried={onRetried} />
      </Panel>
    </>
  )
}

/** `4.5 turns over 3 days each` */
function describeAverage(turns: number, seconds: number): string {
  const [unit, size] = LENGTHS.find(([, least]) => seconds >= least) ?? ['second', 1]
  const length = Math.round(seconds / size)
  return `${Math.round(turns * 10) / 10} turns over ${plural(length, unit)} each`
}

const LENGTHS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

function Tiles({ figures: { days, statistics } }: { readonly figures: Figures }) {
  const {
    conversations = 0,
    turns = 0,
    conversationSeconds = 0,
    messages = 0,
    tokens = 0,
    storageBytes,
    savedBytes = 0,
  } = statistics
  const sent = sumOf(days, 'contextTokens')
  const saved = sumOf(days, 'historyTokens') - sent
  const isSaving = saved > 0
  return (
    <ul className="tiles">
      <Tile
        name="Chats"
        value={formatCount(conversations)}
        note={
          conversations > 0
            ? describeAverage(turns / conversations, conversationSeconds / conversations)
            : undefined
        }
      />
      <Tile
        name="Messages"
        value={formatCount(messages)}
        note={`${formatCount(sumOf(days, 'messages'))} in this period`}
      />
      <Tile
        name="Tokens stored"
        value={formatShort(tokens)}
        note={`${formatShort(sumOf(days, 'tokens'))} in this period`}
      />
      <Tile
        name="Storage"
        value={storageBytes === undefined ? '–' : formatBytes(storageBytes)}
        note={savedBytes > 0 ? `${formatBytes(savedBytes)} saved by compression` : undefined}
      />
      <Tile
        name="Tokens saved"
        value={formatShort(Math.max(0, saved))}
        note={isSaving ? `${Math.round((saved / (saved + sent)) * 100)}% of the full history` : undefined}
      />
    </ul>
  )
}

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

function Waiting() {
  return (
    <div className="tiles" role="status" aria-label="Loading analytics">
      {['a', 'b', 'c', 'd'].map((name) => (
        <div key={name} className="skeleton tile-waiting" />
      ))}
    </div>
  )
}

const PRICE_KEY = 'price-per-million'
const MILLION = 1_000_000

const money = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** Tokens saved, and the money saved if the user enters a price. */
function Savings({ days }: Pick<Figures, 'days'>) {
  const [price, setPrice] = useState(() => localValues.get(PRICE_KEY) ?? '')
  const id = useId()
  const full = sumOf(days, 'historyTokens')
  const sent = sumOf(days, 'contextTokens')
  const change = (next: string) => {
    setPrice(next)
    if (next === '') localValues.remove(PRICE_KEY)
    else localValues.set(PRICE_KEY, next)
  }
  const perMillion = Number(price)
  return (
    <>
      <dl className="health">
        <Row name="Full history" tokens={full} perMillion={perMillion} />
        <Row name="Sent" tokens={sent} perMillion={perMillion} />
        <Row name="Saved" tokens={Math.max(0, full - sent)} perMillion={perMillion} />
      </dl>
      <div className="price">
        <label htmlFor={id}>Price per million tokens</label>
        <input
          id={id}
          className="input"
          type="number"
          min={0}
          step="any"
          inputMode="decimal"
          placeholder="0.00"
          value={price}
          onChange={(event) => change(event.target.value)}
        />
      </div>
    </>
  )
}

interface RowProps {
  readonly name: string
  readonly tokens: number
  readonly perMillion: number
}

function Row({ name, tokens, perMillion }: RowProps) {
  return (
    <div className="health-row">
      <dt>{name}</dt>
      <dd>
        {formatCount(tokens)} tokens
        {perMillion > 0 && (
          <strong className="price-sum">{money.format((tokens / MILLION) * perMillion)}</strong>
        )}
      </dd>
    </div>
  )
}
