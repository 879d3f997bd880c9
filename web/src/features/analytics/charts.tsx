import { useMemo } from 'react'
import { formatBytes, formatCount } from '../../format.ts'
import { Chart, type Measure } from './chart.tsx'
import { Panel } from './panel.tsx'
import { type Figures, growthOf } from './read-figures.ts'

export function Charts({ figures }: { readonly figures: Figures }) {
  const { days } = figures
  const names = useMemo(() => days.map(({ day }) => day), [days])
  const { messages, tokens, sent } = useMemo(() => measuresOf(days), [days])
  return (
    <>
      <div className="panels">
        <Panel title="Messages per day">
          <Chart label="Messages per day" days={names} measures={messages} look="bars" />
        </Panel>
        <Panel title="Tokens per day">
          <Chart label="Tokens per day" days={names} measures={tokens} look="bars" />
        </Panel>
      </div>
      <div className="panels">
        <Growth figures={figures} names={names} />
        <Panel title="Tokens sent to models" lead="Compared with sending the full history each time.">
          <Chart label="Tokens sent to models per day" days={names} measures={sent} look="lines" />
        </Panel>
      </div>
    </>
  )
}

function measuresOf(
  days: Figures['days'],
): Readonly<Record<'messages' | 'tokens' | 'sent', readonly Measure[]>> {
  return {
    messages: [{ name: 'Messages', colour: '--accent', values: days.map((day) => day.messages) }],
    tokens: [{ name: 'Tokens', colour: '--section-summary', values: days.map((day) => day.tokens) }],
    sent: [
      { name: 'Full history', colour: '--section-tail', values: days.map((day) => day.historyTokens) },
      { name: 'Sent', colour: '--accent', values: days.map((day) => day.contextTokens) },
    ],
  }
}

interface GrowthProps {
  readonly figures: Figures
  readonly names: readonly string[]
}

/** The store has no record of its past size, so it is estimated from the tokens stored by each day. */
function Growth({ figures: { days, statistics }, names }: GrowthProps) {
  const { tokens = 0, storageBytes } = statistics
  const measures = useMemo(() => {
    const bytesPerToken = storageBytes === undefined || tokens === 0 ? undefined : storageBytes / tokens
    const stored = growthOf(days, tokens)
    const values =
      bytesPerToken === undefined ? stored : stored.map((count) => Math.round(count * bytesPerToken))
    const name = bytesPerToken === undefined ? 'Tokens stored' : 'Storage'
    return [{ name, colour: '--section-notes', values }]
  }, [days, tokens, storageBytes])
  const isInBytes = measures[0]?.name === 'Storage'
  return (
    <Panel
      title="Growth"
      lead={
        isInBytes
          ? 'Storage at the end of each day, estimated from the tokens stored by then.'
          : 'Tokens stored at the end of each day.'
      }
    >
      <Chart
        label={isInBytes ? 'Storage in bytes' : 'Tokens stored'}
        days={names}
        measures={measures}
        look="lines"
        format={isInBytes ? formatBytes : formatCount}
      />
    </Panel>
  )
}
