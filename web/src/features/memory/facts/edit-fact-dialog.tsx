import { useId, useState } from 'react'
import { Dialog } from '../../../ui/dialog.tsx'
import type { FactActions, FactFields } from './fact-actions.ts'
import { type Fact, subjectOf } from './use-facts.ts'

interface EditFactDialogProps {
  /** Omitted when adding a new fact. */
  readonly fact?: Fact
  readonly actions: FactActions
  readonly onClose: () => void
}

const KINDS: readonly Fact['kind'][] = ['fact', 'preference', 'instruction']
const KIND_LABELS = {
  fact: 'Fact',
  preference: 'Preference',
  instruction: 'Instruction',
  statement: 'Statement',
} as const

/** Facts about the user have the subject `user`; people read and type "You". */
const toSubject = (text: string): string => (/^(?:you|me)$/i.test(text.trim()) ? 'user' : text.trim())

export function EditFactDialog({ fact, actions, onClose }: EditFactDialogProps) {
  const [fields, setFields] = useState<FactFields>({
    subject: fact === undefined ? 'You' : subjectOf(fact),
    attribute: fact?.attribute ?? '',
    value: fact?.value ?? '',
    kind: fact?.kind ?? 'fact',
  })
  const set = (change: Partial<FactFields>) => setFields({ ...fields, ...change })
  const isReady = [fields.subject, fields.attribute, fields.value].every((text) => text.trim() !== '')
  const save = () => {
    const saved = { ...fields, subject: toSubject(fields.subject) }
    void (fact === undefined ? actions.add(saved) : actions.change(fact, saved))
  }
  return (
    <Dialog
      title={fact === undefined ? 'Add fact' : 'Edit fact'}
      action={fact === undefined ? 'Add' : 'Save'}
      isReady={isReady}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField
        label="About"
        hint="“You”, or the name of a person or thing."
        value={fields.subject}
        onChange={(subject) => set({ subject })}
      />
      <TextField
        label="Detail"
        value={fields.attribute}
        onChange={(attribute) => set({ attribute })}
        placeholder="hotel"
      />
      <TextField
        label="Value"
        value={fields.value}
        onChange={(value) => set({ value })}
        placeholder="in Chiado"
      />
      <KindField value={fields.kind} onChange={(kind) => set({ kind })} />
    </Dialog>
  )
}

interface TextFieldProps {
  readonly label: string
  readonly hint?: string
  readonly placeholder?: string
  readonly value: string
  readonly onChange: (text: string) => void
}

export function TextField({ label, hint, placeholder, value, onChange }: TextFieldProps) {
  const id = useId()
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        className="input"
        value={value}
        placeholder={placeholder}
        onChange={(event) => onChange(event.target.value)}
      />
      {hint !== undefined && <p className="field-hint">{hint}</p>}
    </div>
  )
}

interface KindFieldProps {
  readonly value: Fact['kind']
  readonly onChange: (kind: Fact['kind']) => void
}

function KindField({ value, onChange }: KindFieldProps) {
  const id = useId()
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        Kind
      </label>
      <select
        id={id}
        className="input"
        value={value}
        onChange={(event) => onChange(KINDS.find((kind) => kind === event.target.value) ?? 'fact')}
      >
        {KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {KIND_LABELS[kind]}
          </option>
        ))}
      </select>
    </div>
  )
}
