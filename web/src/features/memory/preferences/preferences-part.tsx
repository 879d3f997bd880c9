import { useState } from 'react'
import { type RecollectClient, useRecollect, useRemote } from 'recollect/react'
import { formatDay } from '../../../format.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { attempt } from '../attempt.ts'
import { TextField } from '../facts/edit-fact-dialog.tsx'
import { Empty, RemoteState } from '../remote-state.tsx'
import { Sources } from '../sources.tsx'

type Preferences = Awaited<ReturnType<RecollectClient['preferences']['get']>>
type StatedPreference = Preferences['facts'][number]

/** How the user wants things: stated in chats, or set by hand and by applications. */
export function PreferencesPart() {
  const state = useRemote<Preferences>({
    name: 'preferences',
    read: (client, signal) => client.preferences.get({ signal }),
    about: ['facts', 'knowledge'],
  })
  return (
    <RemoteState state={state}>
      {(preferences) => <PreferenceLists preferences={preferences} onChanged={state.refresh} />}
    </RemoteState>
  )
}

interface PreferenceListsProps {
  readonly preferences: Preferences
  readonly onChanged: () => Promise<void>
}

function PreferenceLists({ preferences: { facts, values }, onChanged }: PreferenceListsProps) {
  const [isAdding, setAdding] = useState(false)
  const set = Object.entries(values)
  return (
    <>
      <section className="card memory-card" aria-labelledby="stated-title">
        <h2 id="stated-title" className="memory-title">
          From your chats
        </h2>
        {facts.length === 0 ? (
          <Empty icon="spark" title="No preferences yet">
            Say “I prefer short answers” or “always use metric units” in a chat, and every answer takes it
            into account.
          </Empty>
        ) : (
          <ul className="memory-list">
            {facts.map((fact) => (
              <StatedRow key={fact.id} fact={fact} />
            ))}
          </ul>
        )}
      </section>
      <section className="card memory-card" aria-labelledby="set-title">
        <div className="memory-card-head">
          <h2 id="set-title" className="memory-title">
            Set manually or by apps
          </h2>
          <Button isSmall icon="plus" onClick={() => setAdding(true)}>
            Add
          </Button>
        </div>
        {set.length === 0 ? (
          <p className="memory-faint">None set.</p>
        ) : (
          <ul className="memory-list">
            {set.map(([key, value]) => (
              <SettingRow key={key} name={key} value={value} onChanged={onChanged} />
            ))}
          </ul>
        )}
      </section>
      {isAdding && <PreferenceDialog onChanged={onChanged} onClose={() => setAdding(false)} />}
    </>
  )
}

function StatedRow({ fact }: { readonly fact: StatedPreference }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <li className="memory-row">
      <button
        type="button"
        className="memory-row-main"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <span className="memory-row-text">
          <span className="memory-row-title" dir="auto">
            {fact.value}
          </span>
          <span className="memory-faint" dir="auto">
            {fact.attribute} · since {formatDay(fact.validFrom)}
          </span>
        </span>
        {fact.kind === 'instruction' && <span className="chip">instruction</span>}
      </button>
      {isOpen && (
        <div className="memory-row-more">
          <Sources messageIds={fact.sources} conversationIds={fact.conversationIds} />
        </div>
      )}
    </li>
  )
}

interface SettingRowProps {
  readonly name: string
  readonly value: unknown
  readonly onChanged: () => Promise<void>
}

function SettingRow({ name, value, onChanged }: SettingRowProps) {
  const { preferences } = useRecollect()
  const [isEditing, setEditing] = useState(false)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const remove = async () => {
    await attempt(() => preferences.remove(name))
    await onChanged()
  }
  return (
    <li className="memory-row memory-row-flat">
      <span className="memory-row-text">
        <span className="memory-row-title" dir="auto">
          {name}
        </span>
        <code className="memory-code">{text}</code>
      </span>
      <IconButton icon="edit" label={`Edit ${name}`} isSmall onClick={() => setEditing(true)} />
      <IconButton icon="trash" label={`Delete ${name}`} isSmall onClick={() => void remove()} />
      {isEditing && (
        <PreferenceDialog name={name} text={text} onChanged={onChanged} onClose={() => setEditing(false)} />
      )}
    </li>
  )
}

interface PreferenceDialogProps {
  readonly name?: string
  readonly text?: string
  readonly onChanged: () => Promise<void>
  readonly onClose: () => void
}

function PreferenceDialog({
  name: initialName = '',
  text: initialText = '',
  onChanged,
  onClose,
}: PreferenceDialogProps) {
  const { preferences } = useRecollect()
  const [name, setName] = useState(initialName)
  const [text, setText] = useState(initialText)
  const save = async () => {
    await attempt(() => preferences.set(name.trim(), toValue(text)))
    await onChanged()
  }
  return (
    <Dialog
      title={initialName === '' ? 'Add preference' : `Edit ${initialName}`}
      action="Save"
      isReady={name.trim() !== '' && text.trim() !== ''}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {initialName === '' && <TextField label="Name" value={name} onChange={setName} placeholder="units" />}
      <TextField
        label="Value"
        value={text}
        onChange={setText}
        placeholder="metric"
        hint="Text, a number or JSON."
      />
    </Dialog>
  )
}

type Value = Parameters<RecollectClient['preferences']['set']>[1]

/** Valid JSON is parsed; anything else is text. */
function toValue(text: string): Value {
  try {
    return JSON.parse(text) as Value
  } catch {
    return text.trim() // Not JSON.
  }
}
