import { useId, useState } from 'react'
import { formatCount } from '../../format.ts'
import { kept } from '../../kept.ts'
import { type Figures, sumOf } from './read-figures.ts'

const PRICE_KEY = 'price-per-million'
const MILLION = 1_000_000

const money = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** What was not sent, in tokens; and in money for those who say what a token costs them. */
export function Savings({ days }: Pick<Figures, 'days'>) {
  const [price, setPrice] = useState(() => kept.get(PRICE_KEY) ?? '')
  const id = useId()
  const whole = sumOf(days, 'historyTokens')
  const given = sumOf(days, 'contextTokens')
  const change = (next: string) => {
    setPrice(next)
    if (next === '') kept.remove(PRICE_KEY)
    else kept.set(PRICE_KEY, next)
  }
  const perMillion = Number(price)
  return (
    <>
      <dl className="health">
        <Row name="Whole chats" tokens={whole} perMillion={perMillion} />
        <Row name="Given instead" tokens={given} perMillion={perMillion} />
        <Row name="Saved" tokens={Math.max(0, whole - given)} perMillion={perMillion} />
      </dl>
      <div className="price">
        <label htmlFor={id}>Price of a million tokens</label>
        <input
          id={id}
          className="input"
          type="number"
          min={0}
          step="any"
          inputMode="decimal"
          placeholder="none"
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
