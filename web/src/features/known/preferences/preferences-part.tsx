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
type Told = Preferences['facts'][number]

/** How the user wants things: what they told, and what applications set. */
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
      <section className="card known-card" aria-labelledby="told-title">
        <h2 id="told-title" className="known-title">
          Told in chats
        </h2>
        {facts.length === 0 ? (
          <Empty icon="spark" title="None yet">
            “I prefer short answers” or “always use metric units”: what you say about how you want things goes
            into every answer.
          </Empty>
        ) : (
          <ul className="known-list">
            {facts.map((fact) => (
              <ToldPreference key={fact.id} fact={fact} />
            ))}
          </ul>
        )}
      </section>
      <section className="card known-card" aria-labelledby="set-title">
        <div className="known-card-head">
          <h2 id="set-title" className="known-title">
            Set by hand, or by applications
          </h2>
          <Button isSmall icon="plus" onClick={() => setAdding(true)}>
            Set one
          </Button>
        </div>
        {set.length === 0 ? (
          <p className="known-faint">None is set.</p>
        ) : (
          <ul className="known-list">
            {set.map(([key, value]) => (
              <SetPreference key={key} name={key} value={value} onChanged={onChanged} />
            ))}
          </ul>
        )}
      </section>
      {isAdding && <PreferenceDialog onChanged={onChanged} onClose={() => setAdding(false)} />}
    </>
  )
}

function ToldPreference({ fact }: { readonly fact: Told }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <li className="known-row">
      <button
        type="button"
        className="known-row-main"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <span className="known-row-text">
          <span className="known-row-title" dir="auto">
            {fact.value}
          </span>
          <span className="known-faint" dir="auto">
            {fact.attribute} · since {formatDay(fact.validFrom)}
          </span>
        </span>
        {fact.kind === 'instruction' && <span className="chip">instruction</span>}
      </button>
      {isOpen && (
        <div className="known-row-more">
          <Sources messageIds={fact.sources} conversationIds={fact.conversationIds} />
        </div>
      )}
    </li>
  )
}

interface SetPreferenceProps {
  readonly name: string
  readonly value: unknown
  readonly onChanged: () => Promise<void>
}

function SetPreference({ name, value, onChanged }: SetPreferenceProps) {
  const { preferences } = useRecollect()
  const [isEditing, setEditing] = useState(false)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const remove = async () => {
    await attempt(() => preferences.remove(name))
    await onChanged()
  }
  return (
    <li className="known-row known-row-flat">
      <span className="known-row-text">
        <span className="known-row-title" dir="auto">
          {name}
        </span>
        <code className="known-code">{text}</code>
      </span>
      <IconButton icon="edit" label={`Change ${name}`} isSmall onClick={() => setEditing(true)} />
      <IconButton icon="trash" label={`Take ${name} away`} isSmall onClick={() => void remove()} />
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
  name: given = '',
  text: before = '',
  onChanged,
  onClose,
}: PreferenceDialogProps) {
  const { preferences } = useRecollect()
  const [name, setName] = useState(given)
  const [text, setText] = useState(before)
  const save = async () => {
    await attempt(() => preferences.set(name.trim(), toValue(text)))
    await onChanged()
  }
  return (
    <Dialog
      title={given === '' ? 'Set a preference' : `Change ${given}`}
      action="Save"
      isReady={name.trim() !== '' && text.trim() !== ''}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {given === '' && <TextField label="Name" value={name} onChange={setName} placeholder="units" />}
      <TextField
        label="Value"
        value={text}
        onChange={setText}
        placeholder="metric"
        hint="A text, a number, or JSON."
      />
    </Dialog>
  )
}

type Value = Parameters<RecollectClient['preferences']['set']>[1]

/** What is JSON is taken as that; everything else is a text. */
function toValue(text: string): Value {
  try {
    return JSON.parse(text) as Value
  } catch {
    // No JSON: the words themselves.
    return text.trim()
  }
}
