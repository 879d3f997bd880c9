import { type ReactNode, useState } from 'react'
import { client } from '../../api/client.ts'
import { formatCount, plural } from '../../format.ts'
import { addressOf, Link } from '../../router.tsx'
import { Button } from '../../ui/button.tsx'
import { showError, showToast } from '../../ui/toasts.tsx'
import { SECTION_NAMES, type Section } from '../why/sections.ts'
import '../why/why.css'
import type { Figures } from './read-figures.ts'

export function SectionShares({ sections }: Pick<Figures, 'sections'>) {
  const shares = (Object.keys(SECTION_NAMES) as Section[])
    .map((section) => ({ section, tokens: sections[section] ?? 0 }))
    .filter(({ tokens }) => tokens > 0)
  if (shares.length === 0) return <p className="panel-none">No contexts were built in this period.</p>
  const most = Math.max(...shares.map(({ tokens }) => tokens))
  return (
    <ul className="shares">
      {shares.map(({ section, tokens }) => (
        <li key={section}>
          <span>{SECTION_NAMES[section]}</span>
          <span className="share-tokens">{formatCount(tokens)}</span>
          <span className="share-track">
            <span
              className="share-bar"
              data-section={section}
              style={{ width: `${(tokens / most) * 100}%` }}
            />
          </span>
        </li>
      ))}
    </ul>
  )
}

interface HealthProps {
  readonly figures: Figures
  readonly onRetried: () => Promise<void>
}

export function Health({ figures, onRetried }: HealthProps) {
  const { derivation, latencies, deadJobs } = figures
  return (
    <>
      <dl className="health">
        {latencies.map(({ name, medianMs, p95Ms, count }) => (
          <Row key={name} name={name}>
            {ms(medianMs)}{' '}
            <span className="field-hint">
              median, {ms(p95Ms)} at the 95th percentile, {plural(count, 'call')}
            </span>
          </Row>
        ))}
        {derivation !== undefined && (
          <>
            <Row name="Compressions">{formatCount(derivation.condensations)}</Row>
            <Row name="Chats waiting to be processed">{formatCount(derivation.behind)}</Row>
            <Row name="Model jobs">
              {formatCount(derivation.jobs.waiting + derivation.jobs.running)} in progress,{' '}
              {formatCount(derivation.jobs.dead)} failed
            </Row>
            <Row name="Errors">{formatCount(derivation.failures.length)}</Row>
          </>
        )}
      </dl>
      {derivation?.failures.slice(0, SHOWN).map((failure) => (
        <Failure key={failure.conversationId} {...failure} />
      ))}
      {deadJobs.map(({ id, conversationId, kind, error = 'failed' }) => (
        <Failure key={id} conversationId={conversationId} error={`${kind}: ${error}`} />
      ))}
      {deadJobs.length > 0 && <RetryButton onRetried={onRetried} />}
      {derivation === undefined && latencies.length === 0 && (
        <p className="panel-none">An admin key is needed to see more.</p>
      )}
    </>
  )
}

const SHOWN = 5

const Failure = ({ conversationId, error }: { readonly conversationId: string; readonly error: string }) => (
  <p className="health-failure">
    <Link to={addressOf(conversationId)}>{conversationId}</Link>: {error}
  </p>
)

function RetryButton({ onRetried }: Pick<HealthProps, 'onRetried'>) {
  const [isBusy, setBusy] = useState(false)
  const retry = async () => {
    setBusy(true)
    try {
      const { revived } = await client.request<{ revived: number }>('POST', '/api/jobs/retry')
      showToast(`Retrying ${plural(revived, 'job')}.`)
      await onRetried()
    } catch (error) {
      showError('Couldn’t retry', error)
    }
    setBusy(false)
  }
  return (
    <Button isSmall icon="refresh" disabled={isBusy} onClick={() => void retry()}>
      Retry failed jobs
    </Button>
  )
}

const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`

function Row({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="health-row">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
