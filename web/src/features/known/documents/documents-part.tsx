import { useState } from 'react'
import { useRecollect, useRemote } from 'recollect/react'
import { formatAgo, formatBytes, formatCount, plural } from '../../../format.ts'
import { addressOf, Link } from '../../../router.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { titleOf } from '../../conversations/title-of.ts'
import { useConversationInfo } from '../../conversations/use-conversation-info.ts'
import { AttachButton } from '../../documents/attachments.tsx'
import { DropZone } from '../../documents/drop-zone.tsx'
import { attempt } from '../attempt.ts'
import { Empty, RemoteState } from '../remote-state.tsx'
import { DocumentChunks } from './document-chunks.tsx'

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

/** Files that were given to the memory, and the pieces that answers are given from. */
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
      if (isDone) showToast(`${file.name} was read.`, { durationMs: 3000 })
      await state.refresh()
    }
  }
  return (
    <DropZone className="known-drop" text="Drop files for all chats" onFiles={(files) => void add(files)}>
      <div className="known-tools">
        <p className="known-lead">Files that chats may draw on. Drop one here, and every chat sees it.</p>
        <AttachButton text="Add" onFiles={(files) => void add(files)} />
      </div>
      <RemoteState state={state}>
        {(documents) =>
          documents.length === 0 ? (
            <Empty icon="file" title="No documents">
              Text, Markdown, HTML, PDF, Word, CSV, JSON and code can be read. Attach one to a chat, or drop
              it here.
            </Empty>
          ) : (
            <ul className="known-list">
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
  const [isErasing, setErasing] = useState(false)
  const { name, format, bytes, tokens, chunkCount, version, updatedAt } = document
  return (
    <li className="known-row">
      <div className="known-row-head">
        <button
          type="button"
          className="known-row-main"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="file" size={16} />
          <span className="known-row-text">
            <span className="known-row-title" dir="auto">
              {name}
            </span>
            <span className="known-faint">
              {format} · {formatBytes(bytes)} · {formatCount(tokens)} tokens · {plural(chunkCount, 'piece')}
              {version > 1 && ` · version ${version}`} · {formatAgo(updatedAt)}
            </span>
          </span>
        </button>
        <IconButton icon="trash" label={`Erase ${name}`} isSmall onClick={() => setErasing(true)} />
      </div>
      {isOpen && (
        <div className="known-row-more">
          <SeenBy document={document} />
          <DocumentChunks documentId={document.id} version={version} />
        </div>
      )}
      {isErasing && (
        <EraseDialog document={document} onChanged={onChanged} onClose={() => setErasing(false)} />
      )}
    </li>
  )
}

function SeenBy({ document: { isWorkspaceWide, conversationIds } }: Pick<DocumentRowProps, 'document'>) {
  if (isWorkspaceWide) return <p className="known-faint">Every chat sees it.</p>
  if (conversationIds.length === 0) return <p className="known-faint">No chat sees it.</p>
  return (
    <p className="known-faint note-source">
      Seen by
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

interface EraseDialogProps extends DocumentRowProps {
  readonly onClose: () => void
}

function EraseDialog({ document: { id, name }, onChanged, onClose }: EraseDialogProps) {
  const client = useRecollect()
  const erase = async () => {
    await attempt(() => client.request('DELETE', `/api/documents/${encodeURIComponent(id)}`))
    await onChanged()
  }
  return (
    <Dialog title={`Erase ${name}?`} action="Erase" isDanger onSubmit={() => void erase()} onClose={onClose}>
      <p>All its versions and pieces go for good. No chat can draw on it any more.</p>
    </Dialog>
  )
}
