import { useState } from 'react'
import { useRemote } from 'recollect/react'
import { plural } from '../../../format.ts'
import { Button } from '../../../ui/button.tsx'
import { RemoteState } from '../remote-state.tsx'

interface Chunk {
  readonly id: string
  readonly index: number
  readonly headingPath: readonly string[]
  readonly text: string
  readonly tokens: number
}

const PAGE = 20

interface DocumentChunksProps {
  readonly documentId: string
  readonly version: number
}

/** The passages (chunks) of a document, in order. */
export function DocumentChunks({ documentId, version }: DocumentChunksProps) {
  const [limit, setLimit] = useState(PAGE)
  const state = useRemote({
    name: `chunks ${documentId} ${version} ${limit}`,
    read: (client, signal) =>
      client.request<{ chunks: readonly Chunk[]; next: number | null }>(
        'GET',
        `/api/documents/${encodeURIComponent(documentId)}/chunks`,
        { query: { limit }, signal },
      ),
  })
  return (
    <RemoteState state={state}>
      {({ chunks, next }) => (
        <>
          <ol className="chunks">
            {chunks.map(({ id, headingPath, text, tokens }) => (
              <li key={id} className="chunk">
                <div className="chunk-head">
                  <span dir="auto">{headingPath.join(' › ')}</span>
                  <span>{plural(tokens, 'token')}</span>
                </div>
                <pre className="chunk-text" dir="auto">
                  {text}
                </pre>
              </li>
            ))}
          </ol>
          {next !== null && (
            <Button isSmall onClick={() => setLimit(limit + 5 * PAGE)}>
              Show more
            </Button>
          )}
        </>
      )}
    </RemoteState>
  )
}
