import { useState } from 'react'
import { useRecollect, useRemote } from 'recollect/react'
import { formatAgo, formatBytes, formatCount, plural } from '../../../format.ts'
import { addressOf, Link } from '../../../router.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { titleOf } from '../../conversations/title-of.ts'
import { useConversationInfo } from '../../conversations/use-conversation-info.ts'
import { AttachButton } from '../../documents/attachments.tsx'
import { DropZone } from '../../documents/drop-zone.tsx'
import { attempt } from '../attempt.ts'
import { Empty, RemoteState } from '../remote-state.tsx'

interface Document {
  readonly id: string
  readonly name: string
  readonly format: string
  readonly version: number
  readonly bytes: number
  readonly tokens: number
  readonly chunkCount: number
  readonly isWorkspaceWide: boolean
  readonly conversationIds: readonly string[]
  readonly updatedAt: string
}

const MOST = 200

/** All documents and the passages that recall finds in them. */
export function DocumentsPart() {
  const client = useRecollect()
  const state = useRemote({
    name: 'documents of all',
    about: ['document'],
    read: async (from, signal) =>
      (
        await from.request<{ documents: readonly Document[] }>('GET', '/api/documents', {
          query: { limit: MOST },
          signal,
        })
      ).documents,
  })
  const add = async (files: readonly File[]) => {
    for (const file of files) {
      const form = new FormData()
      form.set('file', file)
      const isDone = await attempt(() => client.request('POST', '/api/documents', { body: form }))
      if (isDone) showToast(`Added ${file.name}.`, { durationMs: 3000 })
      await state.refresh()
    }
  }
  return (
    <DropZone
      className="memory-drop"
      text="Drop files to add them to all chats"
      onFiles={(files) => void add(files)}
    >
      <div className="memory-tools">
        <p className="memory-lead">
          Files that answers can use. Files added here are available to every chat.
        </p>
        <AttachButton text="Add" onFiles={(files) => void add(files)} />
      </div>
      <RemoteState state={state}>
        {(documents) =>
          documents.length === 0 ? (
            <Empty icon="file" title="No documents yet">
              Attach a file to a chat or drop it here. Text, Markdown, HTML, PDF, Word, CSV, JSON and code are
              supported.
            </Empty>
          ) : (
            <ul className="memory-list">
              {documents.map((document) => (
                <DocumentRow key={document.id} document={document} onChanged={state.refresh} />
              ))}
            </ul>
          )
        }
      </RemoteState>
    </DropZone>
  )
}

interface DocumentRowProps {
  readonly document: Document
  readonly onChanged: () => Promise<void>
}

function DocumentRow({ document, onChanged }: DocumentRowProps) {
  const [isOpen, setOpen] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const { name, format, bytes, tokens, chunkCount, version, updatedAt } = document
  return (
    <li className="memory-row">
      <div className="memory-row-head">
        <button
          type="button"
          className="memory-row-main"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="file" size={16} />
          <span className="memory-row-text">
            <span className="memory-row-title" dir="auto">
              {name}
            </span>
            <span className="memory-faint">
              {format} · {formatBytes(bytes)} · {formatCount(tokens)} tokens · {plural(chunkCount, 'passage')}
              {version > 1 && ` · version ${version}`} · {formatAgo(updatedAt)}
            </span>
          </span>
        </button>
        <IconButton icon="trash" label={`Delete ${name}`} isSmall onClick={() => setDeleting(true)} />
      </div>
      {isOpen && (
        <div className="memory-row-more">
          <Availability document={document} />
          <DocumentChunks documentId={document.id} version={version} />
        </div>
      )}
      {isDeleting && (
        <DeleteDialog document={document} onChanged={onChanged} onClose={() => setDeleting(false)} />
      )}
    </li>
  )
}

function Availability({
  document: { isWorkspaceWide, conversationIds },
}: Pick<DocumentRowProps, 'document'>) {
  if (isWorkspaceWide) return <p className="memory-faint">Available to every chat.</p>
  if (conversationIds.length === 0) return <p className="memory-faint">Not available to any chat.</p>
  return (
    <p className="memory-faint note-source">
      Available to
      {conversationIds.map((id) => (
        <ChatLink key={id} conversationId={id} />
      ))}
    </p>
  )
}

function ChatLink({ conversationId }: { readonly conversationId: string }) {
  const { conversation } = useConversationInfo(conversationId)
  return (
    <Link to={addressOf(conversationId)}>
      {conversation === undefined ? conversationId : titleOf(conversation)}
    </Link>
  )
}

interface DeleteDialogProps extends DocumentRowProps {
  readonly onClose: () => void
}

function DeleteDialog({ document: { id, name }, onChanged, onClose }: DeleteDialogProps) {
  const client = useRecollect()
  const erase = async () => {
    await attempt(() => client.request('DELETE', `/api/documents/${encodeURIComponent(id)}`))
    await onChanged()
  }
  return (
    <Dialog
      title={`Delete ${name}?`}
      action="Delete"
      isDanger
      onSubmit={() => void erase()}
      onClose={onClose}
    >
      <p>This permanently deletes all its versions. Answers can no longer use it.</p>
    </Dialog>
  )
}

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
function DocumentChunks({ documentId, version }: DocumentChunksProps) {
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
