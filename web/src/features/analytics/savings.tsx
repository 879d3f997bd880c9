import { useId, useState } from 'react'
import { localValues } from '../../browser-storage.ts'
import { formatCount } from '../../format.ts'
import { type Figures, sumOf } from './read-figures.ts'

const PRICE_KEY = 'price-per-million'
const MILLION = 1_000_000

const money = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** Tokens saved, and the money saved if the user enters a price. */
export function Savings({ days }: Pick<Figures, 'days'>) {
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
