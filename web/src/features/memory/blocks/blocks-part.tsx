import { useId, useState } from 'react'
import { type RecollectClient, useRecollect, useRemote } from 'recollect/react'
import { formatAgo, formatMoment } from '../../../format.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { attempt } from '../attempt.ts'
import { TextField } from '../facts/edit-fact-dialog.tsx'
import { Empty, RemoteState } from '../remote-state.tsx'

type Block = Awaited<ReturnType<RecollectClient['blocks']['list']>>['blocks'][number]

const MAX_CHARACTERS = 1000

/** Small named texts that every answer takes into account. */
export function BlocksPart() {
  const state = useRemote({
    name: 'blocks',
    read: async (client, signal) => (await client.blocks.list({ signal })).blocks,
    about: ['knowledge'],
  })
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <div className="memory-tools">
        <p className="memory-lead">Short texts that every answer takes into account.</p>
        <Button icon="plus" onClick={() => setAdding(true)}>
          Add
        </Button>
      </div>
      <RemoteState state={state}>
        {(blocks) =>
          blocks.length === 0 ? (
            <Empty icon="list" title="No memory blocks yet">
              Add one called “profile” or “project” with what should always be known. A model with the tool
              for it can edit blocks as well.
            </Empty>
          ) : (
            <ul className="memory-list">
              {blocks.map((block) => (
                <BlockRow key={block.name} block={block} onChanged={state.refresh} />
              ))}
            </ul>
          )
        }
      </RemoteState>
      {isAdding && <BlockDialog onChanged={state.refresh} onClose={() => setAdding(false)} />}
    </>
  )
}

interface BlockRowProps {
  readonly block: Block
  readonly onChanged: () => Promise<void>
}

function BlockRow({ block, onChanged }: BlockRowProps) {
  const { blocks } = useRecollect()
  const [isEditing, setEditing] = useState(false)
  const { name, text, updatedAt, updatedBy } = block
  const run = async (work: () => Promise<unknown>) => {
    await attempt(work)
    await onChanged()
  }
  return (
    <li className="memory-row memory-row-flat">
      <div className="memory-row-text">
        <span className="memory-row-title" dir="auto">
          {name}
        </span>
        <p className="note-text" dir="auto">
          {text}
        </p>
        <p className="memory-faint" title={formatMoment(updatedAt)}>
          {formatAgo(updatedAt)}
          {updatedBy === 'model' && ' · by the model'}
        </p>
      </div>
      <IconButton
        icon="back"
        label={`Undo ${name}`}
        isSmall
        onClick={() => void run(() => blocks.undo(name))}
      />
      <IconButton icon="edit" label={`Edit ${name}`} isSmall onClick={() => setEditing(true)} />
      <IconButton
        icon="trash"
        label={`Delete ${name}`}
        isSmall
        onClick={() => void run(() => blocks.remove(name))}
      />
      {isEditing && <BlockDialog block={block} onChanged={onChanged} onClose={() => setEditing(false)} />}
    </li>
  )
}

interface BlockDialogProps {
  readonly block?: Block
  readonly onChanged: () => Promise<void>
  readonly onClose: () => void
}

function BlockDialog({ block, onChanged, onClose }: BlockDialogProps) {
  const { blocks } = useRecollect()
  const [name, setName] = useState(block?.name ?? '')
  const [text, setText] = useState(block?.text ?? '')
  const id = useId()
  const save = async () => {
    await attempt(() => blocks.update(name.trim(), { text: text.trim() }))
    await onChanged()
  }
  return (
    <Dialog
      title={block === undefined ? 'Add memory block' : `Edit ${block.name}`}
      action="Save"
      isReady={name.trim() !== '' && text.trim() !== ''}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {block === undefined && (
        <TextField label="Name" value={name} onChange={setName} placeholder="profile" />
      )}
      <div className="field">
        <label className="field-label" htmlFor={id}>
          Text
        </label>
        <textarea
          id={id}
          className="input"
          rows={6}
          maxLength={MAX_CHARACTERS}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <p className="field-hint">
          {text.length} of {MAX_CHARACTERS} characters
        </p>
      </div>
    </Dialog>
  )
}
