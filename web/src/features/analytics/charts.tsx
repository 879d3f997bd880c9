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
        <Panel title="Messages a day">
          <Chart label="Messages a day" days={names} measures={messages} look="bars" />
        </Panel>
        <Panel title="Tokens a day">
          <Chart label="Tokens a day" days={names} measures={tokens} look="bars" />
        </Panel>
      </div>
      <div className="panels">
        <Growth figures={figures} names={names} />
        <Panel title="Tokens for models" lead="What was given, against what the whole chats would have been.">
          <Chart label="Tokens for models a day" days={names} measures={sent} look="lines" />
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
      { name: 'Whole history', colour: '--section-tail', values: days.map((day) => day.historyTokens) },
      { name: 'Given to the model', colour: '--accent', values: days.map((day) => day.contextTokens) },
    ],
  }
}

interface GrowthProps {
  readonly figures: Figures
  readonly names: readonly string[]
}

/** A store does not remember how large it was: its size now is spread over what was kept by then. */
function Growth({ figures: { days, statistics }, names }: GrowthProps) {
  const { tokens = 0, storageBytes } = statistics
  const measures = useMemo(() => {
    const bytesPerToken = storageBytes === undefined || tokens === 0 ? undefined : storageBytes / tokens
    const kept = growthOf(days, tokens)
    const values = bytesPerToken === undefined ? kept : kept.map((count) => Math.round(count * bytesPerToken))
    const name = bytesPerToken === undefined ? 'Tokens kept' : 'Storage'
    return [{ name, colour: '--section-notes', values }]
  }, [days, tokens, storageBytes])
  const isInBytes = measures[0]?.name === 'Storage'
  return (
    <Panel
      title="Growth"
      lead={
        isInBytes
          ? 'Storage at the end of each day, by the share of the tokens that were kept by then.'
          : 'Tokens kept at the end of each day.'
      }
    >
      <Chart
        label={isInBytes ? 'Storage in bytes' : 'Tokens kept'}
        days={names}
        measures={measures}
        look="lines"
        format={isInBytes ? formatBytes : formatCount}
      />
    </Panel>
  )
}
