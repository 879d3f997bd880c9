import { useState } from 'react'
import { type RecollectClient, useRecollect, useRemote } from 'recollect/react'
import { formatAgo, formatDay, formatMoment } from '../../../format.ts'
import { addressOf, Link } from '../../../router.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { attempt } from '../attempt.ts'
import { TextField } from '../facts/edit-fact-dialog.tsx'
import { Empty, RemoteState } from '../remote-state.tsx'

type Note = Awaited<ReturnType<RecollectClient['notes']['list']>>['notes'][number]

/** Notes from tools and web searches that haven't expired. */
export function NotesPart() {
  const state = useRemote({
    name: 'notes',
    read: async (client, signal) => (await client.notes.list({ limit: 500, signal })).notes,
    about: ['notes', 'knowledge'],
  })
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <div className="memory-tools">
        <p className="memory-lead">
          Short findings from tools and web searches, kept while they are current.
        </p>
        <Button icon="plus" onClick={() => setAdding(true)}>
          Add
        </Button>
      </div>
      <RemoteState state={state}>
        {(notes) =>
          notes.length === 0 ? (
            <Empty icon="book" title="No notes yet">
              When web search is on and a question needs recent information, the findings are saved here with
              their sources.
            </Empty>
          ) : (
            <ul className="memory-list">
              {notes.map((note) => (
                <NoteRow key={note.id} note={note} onChanged={state.refresh} />
              ))}
            </ul>
          )
        }
      </RemoteState>
      {isAdding && <NoteDialog onChanged={state.refresh} onClose={() => setAdding(false)} />}
    </>
  )
}

interface NoteRowProps {
  readonly note: Note
  readonly onChanged: () => Promise<void>
}

function NoteRow({ note, onChanged }: NoteRowProps) {
  const { notes } = useRecollect()
  const { text, source, createdAt, expiresAt, conversationId, messageIds } = note
  const [messageId] = messageIds
  const remove = async () => {
    await attempt(() => notes.remove(note.id))
    await onChanged()
  }
  return (
    <li className="memory-row memory-row-flat note">
      <div className="memory-row-text">
        <p className="note-text" dir="auto">
          {text}
        </p>
        <p className="memory-faint note-source">
          <SourceOf source={source} />
          <span title={formatMoment(createdAt)}>{formatAgo(createdAt)}</span>
          {expiresAt !== undefined && <span>expires {formatDay(expiresAt)}</span>}
          {conversationId !== undefined && (
            <Link to={addressOf(conversationId, messageId)}>
              {messageId === undefined ? 'Open chat' : 'Open message'}
            </Link>
          )}
        </p>
      </div>
      <IconButton icon="trash" label="Delete note" isSmall onClick={() => void remove()} />
    </li>
  )
}

/** URLs come from the web, so only http and https become links. */
function SourceOf({ source: { url, title, tool } }: { readonly source: Note['source'] }) {
  const name = title ?? url ?? tool
  if (name === undefined) return null
  if (url === undefined || !/^https?:\/\//i.test(url)) return <span>{name}</span>
  return (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow">
      {name}
    </a>
  )
}

interface NoteDialogProps {
  readonly onChanged: () => Promise<void>
  readonly onClose: () => void
}

function NoteDialog({ onChanged, onClose }: NoteDialogProps) {
  const { notes } = useRecollect()
  const [text, setText] = useState('')
  const [url, setUrl] = useState('')
  const save = async () => {
    const source = url.trim() === '' ? {} : { source: { url: url.trim() } }
    await attempt(() => notes.add({ text: text.trim(), ...source }))
    await onChanged()
  }
  return (
    <Dialog
      title="Add note"
      action="Add"
      isReady={text.trim() !== ''}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <TextField label="Note" value={text} onChange={setText} />
      <TextField label="Source" value={url} onChange={setUrl} placeholder="https://…" hint="Optional." />
    </Dialog>
  )
}
