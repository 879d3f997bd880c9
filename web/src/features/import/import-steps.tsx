import { formatBytes, formatCount, formatDay, plural } from '../../format.ts'
import { addressOf, Link } from '../../router.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { formatName, type ImportedChats } from './import-work.ts'

interface ImportProgressProps {
  readonly step: 'reading' | 'importing'
  readonly file: File
  readonly share: number
  /** The share is of what the server has processed, not of the upload. */
  readonly isSent: boolean
  readonly onStop: () => void
}

export function ImportProgress({ step, file, share, isSent, onStop }: ImportProgressProps) {
  const isWaiting = !isSent && share >= 1
  const doing = step === 'reading' ? 'Reading' : 'Importing'
  return (
    <section className="card import-card" aria-live="polite">
      <p>
        {doing} <strong>{file.name}</strong> ({formatBytes(file.size)})
      </p>
      <progress className="progress" max={1} {...(!isWaiting && { value: share })} aria-label={doing} />
      <div className="import-actions">
        <span className="field-hint">
          {isWaiting ? 'Uploaded. The server is processing the rest.' : formatShare(share, isSent)}
        </span>
        <Button isSmall onClick={onStop}>
          Stop
        </Button>
      </div>
    </section>
  )
}

const formatShare = (share: number, isSent: boolean): string =>
  `${Math.round(share * 100)}% ${isSent ? 'processed' : 'uploaded'}`

interface ImportPreviewProps {
  readonly preview: ImportedChats
  readonly onImport: () => void
  readonly onCancel: () => void
}

export function ImportPreview({ preview, onImport, onCancel }: ImportPreviewProps) {
  const { conversations, messages, known, documents, facts } = preview
  const isNothing = conversations + messages + documents + facts === 0
  return (
    <section className="card import-card">
      <h3>Preview: {formatName(preview.format)}</h3>
      {isNothing ? <p>Nothing new in this file.</p> : <Counts imported={preview} />}
      {known > 0 && <p className="field-hint">{plural(known, 'item')} already imported.</p>}
      <Listed imported={preview} isLinked={false} />
      <Problems imported={preview} />
      <div className="import-actions">
        <Button look="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <Button look="primary" disabled={isNothing} onClick={onImport}>
          Import
        </Button>
      </div>
    </section>
  )
}

export function ImportDone({
  imported,
  onMore,
}: {
  readonly imported: ImportedChats
  readonly onMore: () => void
}) {
  return (
    <section className="card import-card" aria-live="polite">
      <h3 className="import-done">
        <Icon name="check" />
        Imported
      </h3>
      <Counts imported={imported} />
      <p className="field-hint">Topics, summaries and facts are being created in the background.</p>
      <Listed imported={imported} isLinked />
      <Problems imported={imported} />
      <div className="import-actions">
        <Button onClick={onMore}>Import another file</Button>
        <Link to="/memory" className="button button-primary">
          Open memory
        </Link>
      </div>
    </section>
  )
}

function Counts({ imported }: { readonly imported: ImportedChats }) {
  const counts: readonly (readonly [string, number])[] = [
    ['chat', imported.conversations],
    ['message', imported.messages],
    ['fork', imported.forks],
    ['fact', imported.facts],
    ['document', imported.documents],
  ]
  return (
    <ul className="import-counts">
      {counts
        .filter(([, count], i) => count > 0 || i < 2)
        .map(([name, count]) => (
          <li key={name}>
            <strong>{formatCount(count)}</strong> {count === 1 ? name : `${name}s`}
          </li>
        ))}
    </ul>
  )
}

const FIRST = 100

function Listed({
  imported: { listed },
  isLinked,
}: {
  readonly imported: ImportedChats
  readonly isLinked: boolean
}) {
  if (listed.length === 0) return null
  return (
    <ul className="import-list">
      {listed.slice(0, FIRST).map(({ id, title = 'Untitled', createdAt, messages, isNew }) => (
        <li key={id}>
          <span className="import-title">{isLinked ? <Link to={addressOf(id)}>{title}</Link> : title}</span>
          {!isNew && <span className="chip">already imported</span>}
          <span className="field-hint">
            {plural(messages, 'message')}
            {createdAt !== undefined && ` · ${formatDay(createdAt)}`}
          </span>
        </li>
      ))}
    </ul>
  )
}

function Problems({ imported: { problems } }: { readonly imported: ImportedChats }) {
  if (problems.length === 0) return null
  return (
    <details className="import-problems">
      <summary>{plural(problems.length, 'problem')}</summary>
      <ul>
        {problems.slice(0, FIRST).map(({ place, reason }) => (
          <li key={`${place} ${reason}`}>
            <strong>{place}</strong>: {reason}
          </li>
        ))}
      </ul>
    </details>
  )
}
