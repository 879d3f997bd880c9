import { type ReactNode, useEffect } from 'react'
import { formatAgo } from '../../format.ts'
import { Icon } from '../../ui/icon.tsx'
import type { Found, Snippet } from './found.ts'

interface FoundListProps {
  readonly id: string
  readonly found: readonly Found[]
  /** The index of the selected result. */
  readonly at: number
  readonly onPoint: (at: number) => void
  readonly onOpen: (found: Found) => void
}

export function FoundList({ id, found, at, onPoint, onOpen }: FoundListProps) {
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, at])
  return (
    <div id={id} className="found-list" role="listbox" aria-label="Results" tabIndex={-1}>
      {found.map((one, i) => (
        <div key={one.key} role="presentation">
          {one.group !== found[i - 1]?.group && (
            <p className="found-group" role="presentation">
              {one.group}
            </p>
          )}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: the search field handles keys */}
          <div
            id={`${id}-${i}`}
            className="found"
            role="option"
            tabIndex={-1}
            aria-selected={i === at}
            onMouseMove={() => i !== at && onPoint(i)}
            onClick={() => onOpen(one)}
          >
            <Icon name={one.icon} size={16} />
            <div className="found-body">
              <span className="found-title">{one.title}</span>
              {one.snippet !== undefined && (
                <span className="found-snippet" dir="auto">
                  <Marked snippet={one.snippet} />
                </span>
              )}
            </div>
            {one.at !== undefined && <span className="found-at">{formatAgo(one.at)}</span>}
          </div>
        </div>
      ))}
    </div>
  )
}

/** Blanks out Markdown marks, keeping the length so that highlight offsets stay valid. */
const withoutMarks = (text: string): string =>
  text.replaceAll(/(?<!\S)[>#*\-|`]+(?!\S)/g, (marks) => ' '.repeat(marks.length))

function Marked({ snippet }: { readonly snippet: Snippet }) {
  const { highlights } = snippet
  const text = withoutMarks(snippet.text)
  const pieces: ReactNode[] = []
  let last = 0
  for (const [from = 0, to = 0] of highlights) {
    if (from < last) continue
    pieces.push(text.slice(last, from), <mark key={from}>{text.slice(from, to)}</mark>)
    last = to
  }
  return (
    <>
      {pieces}
      {text.slice(last)}
    </>
  )
}
