import { useId, useState } from 'react'
import { type UsedPageContext, usePageContext } from 'recollect/react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../memory/facts/edit-fact-dialog.tsx'

type Context = NonNullable<UsedPageContext['context']>
type Values = Context['entities']

interface PageDialogProps {
  readonly conversationId: string
  readonly onClose: () => void
}

/** What the user typed; a field that was not touched is missing and keeps following the chat. */
interface Draft {
  readonly topic?: string
  readonly entities?: string
  readonly preferences?: string
}

/** The state of a chat's page, which every answer takes into account: it fills itself, and the user may correct it. */
export function PageDialog({ conversationId, onClose }: PageDialogProps) {
  const { context, error, update, setActiveFile } = usePageContext(conversationId)
  const [draft, setDraft] = useState<Draft>({})
  const save = () => {
    if (context !== undefined && Object.keys(draft).length > 0) update(toChanges(context, draft))
  }
  const file = context?.activeFile
  return (
    <Dialog
      title="What this chat is about"
      action="Save"
      isReady={context !== undefined}
      onSubmit={save}
      onClose={onClose}
    >
      {error !== undefined && <p className="field-hint">{error.message}</p>}
      <p className="field-hint">Filled in as you talk. Every answer in this chat takes it into account.</p>
      {file !== undefined && file !== null && (
        <p className="field-hint">
          Active file: {file.name ?? file.id}{' '}
          <Button look="quiet" onClick={() => setActiveFile(null)}>
            Clear
          </Button>
        </p>
      )}
      <TextField
        label="Topic"
        value={draft.topic ?? context?.currentTopic ?? ''}
        onChange={(topic) => setDraft({ ...draft, topic })}
      />
      <LinesField
        label="People and things"
        hint="One per line, with what it is: Ana: person"
        rows={4}
        value={draft.entities ?? toLines(context?.entities)}
        onChange={(entities) => setDraft({ ...draft, entities })}
      />
      <LinesField
        label="Preferences"
        hint="One per line: currency: euros"
        rows={3}
        value={draft.preferences ?? toLines(context?.preferences)}
        onChange={(preferences) => setDraft({ ...draft, preferences })}
      />
    </Dialog>
  )
}

interface LinesFieldProps {
  readonly label: string
  readonly hint: string
  readonly rows: number
  readonly value: string
  readonly onChange: (value: string) => void
}

function LinesField({ label, hint, rows, value, onChange }: LinesFieldProps) {
  const id = useId()
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <textarea
        id={id}
        className="input"
        rows={rows}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <p className="field-hint">{hint}</p>
    </div>
  )
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const toLines = (values: Values = {}): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}: ${textOf(value)}`)
    .join('\n')

function toChanges(context: Context, { topic, entities, preferences }: Draft) {
  return {
    ...(topic !== undefined && { currentTopic: topic.trim() === '' ? null : topic.trim() }),
    ...(entities !== undefined && { entities: changedValues(context.entities, entities) }),
    ...(preferences !== undefined && { preferences: changedValues(context.preferences, preferences) }),
  }
}

/** null for a name whose line was removed. What was not a text stays as it is unless its line was changed. */
function changedValues(before: Values, lines: string): Values {
  const names = Object.keys(before)
  const typed = lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const name = names.find((known) => line.startsWith(`${known}:`)) ?? line.split(':', 1)[0] ?? line
      return [name.trim(), line.slice(name.length + 1).trim()] as const
    })
  const kept = new Set(typed.map(([name]) => name))
  return Object.fromEntries([
    ...names.filter((name) => !kept.has(name)).map((name) => [name, null] as const),
    ...typed.filter(([name, value]) => !(name in before) || textOf(before[name]) !== value),
  ])
}
